// Threads that answer calls, one after the other, and can be stopped.

/// The engine in WebAssembly. A call that is stopped, or that fails, ends the thread; the next call has a new one.
export class Engine {
  #compiled;
  #thread;
  #waiting = new Map();
  #calls = 0;

  /// Compiles the module while it is loaded. @throws where there is none, or no WebAssembly of the kind that it needs.
  async load(address) {
    const begun = performance.now();
    const answer = await fetch(address);
    if (!answer.ok) throw new Error("missing");
    const bytes = await answer.arrayBuffer();
    this.bytes = bytes.byteLength;
    this.#compiled = await WebAssembly.compile(bytes);
    await this.#start();
    this.seconds = (performance.now() - begun) / 1000;
  }

  #start() {
    return new Promise((resolve, reject) => {
      const thread = this.#thread = new Worker("engine.js");
      thread.onmessage = ({data}) => {
        if (data.ready) return resolve();
        const waiting = this.#waiting.get(data.id);
        this.#waiting.delete(data.id);
        if (data.failure === undefined) return waiting?.resolve(data);
        this.#end(new Error(data.failure));
        (waiting ?? {reject}).reject(new Error(data.failure));
      };
      thread.onerror = event => { this.#end(new Error(event.message)); reject(new Error(event.message)); };
      thread.postMessage({compiled: this.#compiled});
    });
  }

  #end(reason) {
    this.#thread?.terminate();
    this.#thread = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each.reject(reason);
  }

  /// @returns the JSON that `name` answers, and the milliseconds it took.
  async ask(name, text, seconds) {
    if (!this.#thread) await this.#start();
    return new Promise((resolve, reject) => {
      const id = ++this.#calls;
      // The engine looks at the clock itself; this is for one long call of a library.
      const late = setTimeout(() => this.#end(new Error(`no answer within ${seconds} s`)), 1000 * (2 * seconds + 3));
      this.#waiting.set(id, {
        resolve: data => { clearTimeout(late); resolve({...JSON.parse(data.text), milliseconds: data.milliseconds}); },
        reject: error => { clearTimeout(late); reject(error); },
      });
      this.#thread.postMessage({id, call: name, text, seconds});
    });
  }

  stop() { this.#end(new Error("stopped")); }
}

/// The checker in Python, loaded when it is first asked.
export class Python {
  #thread;
  #calls = 0;

  /// Is it in this copy of the page?
  async there() {
    try {
      return (await fetch("python/checker.zip", {method: "HEAD"})).ok;
    } catch {
      return false;
    }
  }

  async ask(text, seconds) {
    this.#thread ??= new Worker("python.js", {type: "module"});
    const thread = this.#thread, id = ++this.#calls;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => { this.stop(); reject(new Error(`no answer within ${seconds} s`)); }, 1000 * (seconds + 30));
      thread.addEventListener("message", function heard({data}) {
        if (data.missing === undefined && data.id !== id) return;
        clearTimeout(late);
        thread.removeEventListener("message", heard);
        const failure = data.missing ?? data.failure;
        failure === undefined ? resolve(data) : reject(new Error(failure));
      });
      thread.postMessage({id, text, seconds});
    });
  }

  stop() {
    this.#thread?.terminate();
    this.#thread = undefined;
  }
}
