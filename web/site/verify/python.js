// The thread of the checker in Python, under Pyodide: takes {id, text, seconds}, gives {id, accepted, reason, lines,
// milliseconds}.
import {loadPyodide} from "./python/pyodide.mjs";

const CHECKER = `
import json
from time import monotonic
from plaudit_certificates.statements import judge

def checked(text, seconds):
    begun = monotonic()
    reason, lines = judge(text, seconds)
    return json.dumps({"accepted": reason is None, "reason": reason, "lines": lines,
                       "milliseconds": 1000 * (monotonic() - begun)})

checked
`;

const folder = new URL("python/", import.meta.url).href;
const loading = (async () => {
  const python = await loadPyodide({indexURL: folder});
  const archive = await fetch(folder + "checker.zip");
  if (!archive.ok) throw new Error("checker.zip is not there");
  python.unpackArchive(await archive.arrayBuffer(), "zip");
  return python.runPython(CHECKER);
})();

loading.then(() => postMessage({ready: true}), error => postMessage({missing: String(error.message ?? error)}));

onmessage = async ({data}) => {
  try {
    const checked = await loading;
    postMessage({id: data.id, ...JSON.parse(checked(data.text, data.seconds))});
  } catch (error) {
    postMessage({id: data.id, failure: String(error.message ?? error)});
  }
};
