// The engine's thread: takes {id, call, text, seconds}, gives {id, text, milliseconds}. The page ends this thread to stop a
// call. The module wants little of its surroundings: a clock, and somewhere to write a last word before it gives up.
"use strict";

let module, memory, lastWord = "";

const NO_SUCH = 52;  // WASI's errno for what is not there

const surroundings = {
  clock_time_get(id, precision, at) {
    const milliseconds = performance.now() + (Number(id) === 0 ? performance.timeOrigin : 0);
    new DataView(memory.buffer).setBigUint64(Number(at), BigInt(Math.round(milliseconds * 1e6)), true);
    return 0;
  },
  fd_write(file, pieces, count, written) {
    const view = new DataView(memory.buffer);
    let bytes = 0;
    for (let i = 0; i < Number(count); ++i) {  // pairs of an address and a size, 64 bits each
      const at = Number(view.getBigUint64(Number(pieces) + 16 * i, true));
      const size = Number(view.getBigUint64(Number(pieces) + 16 * i + 8, true));
      lastWord = (lastWord + new TextDecoder().decode(new Uint8Array(memory.buffer, at, size))).slice(-500);
      bytes += size;
    }
    view.setBigUint64(Number(written), BigInt(bytes), true);
    return 0;
  },
  proc_exit() { throw new Error(lastWord.trim() || "the engine gave up"); },
  emscripten_notify_memory_growth() {},
};

async function start(compiled) {
  const imports = {};
  for (const wanted of WebAssembly.Module.imports(compiled)) {
    (imports[wanted.module] ??= {})[wanted.name] = surroundings[wanted.name] ?? (() => NO_SUCH);
  }
  const instance = await WebAssembly.instantiate(compiled, imports);
  module = instance.exports;
  memory = module.memory;
  module._initialize();
}

function call(name, text, seconds) {
  const bytes = new TextEncoder().encode(text);
  const at = module.room(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const answer = module[name](seconds);
  return new TextDecoder().decode(new Uint8Array(memory.buffer, answer, module.size()));
}

onmessage = async ({data}) => {
  try {
    if (data.compiled) {
      await start(data.compiled);
      postMessage({ready: true});
      return;
    }
    const begun = performance.now();
    const text = call(data.call, data.text, data.seconds);
    postMessage({id: data.id, text, milliseconds: performance.now() - begun});
  } catch (error) {  // a trap: nothing that this module says from now on counts
    postMessage({id: data.id, failure: lastWord.trim() || String(error.message ?? error)});
  }
};
