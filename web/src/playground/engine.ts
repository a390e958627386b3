// The library in WebAssembly, as playground/exports.cpp exports it.

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  text_buffer(): number;
  value_buffer(): number;
  start(): number;
  run_until(ms: number): void;
  crash_half(): void;
  write_hash(): void;
  overview(): number;
  peers(): number;
  links(): number;
  beliefs(of: number): number;
  links_of(index: number): number;
  traffic(of: number): number;
}

export interface Overview {
  living: number;
  links: number;
  age: number;
  error: number;
  known: number;
  upload: number;
}
export interface Dot { x: number; y: number; alive: boolean }
export interface Belief { peer: number; x: number; y: number; age: number; guided: boolean }
export interface Link { peer: number; near: boolean; focus: boolean }

async function unpacked(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export class Engine {
  private constructor(private readonly calls: Exports) {}

  static async load(base64: string): Promise<Engine> {
    // The library writes nothing, but its C library could: to nowhere.
    const wasi_snapshot_preview1 = { fd_close: () => 8, fd_seek: () => 8, fd_write: () => 8 };
    const { instance } = await WebAssembly.instantiate(await unpacked(base64), { wasi_snapshot_preview1 });
    const calls = instance.exports as unknown as Exports;
    calls._initialize();
    return new Engine(calls);
  }

  /// Empty if the run starts; otherwise why not.
  start(settings: string): string {
    const bytes = new TextEncoder().encode(settings.slice(0, 2000));
    const memory = new Uint8Array(this.calls.memory.buffer);
    memory.set(bytes, this.calls.text_buffer());
    memory[this.calls.text_buffer() + bytes.length] = 0;
    return this.calls.start() === 1 ? "" : this.text();
  }

  runUntil(ms: number): void {
    this.calls.run_until(ms);
  }
  crashHalf(): void {
    this.calls.crash_half();
  }
  hash(): string {
    this.calls.write_hash();
    return this.text();
  }

  overview(): Overview {
    const [living = 0, links = 0, age = 0, error = 0, known = 0, upload = 0] = this.values(this.calls.overview());
    return { living, links, age, error, known, upload };
  }
  peers(): Dot[] {
    return this.groups(this.calls.peers(), 3).map(([x = 0, y = 0, alive]) => ({ x, y, alive: alive === 1 }));
  }
  links(): Float64Array {
    return this.values(this.calls.links()).slice();
  }
  beliefs(of: number): Belief[] {
    return this.groups(this.calls.beliefs(of), 5).map(([peer = 0, x = 0, y = 0, age = 0, guided]) => ({ peer, x, y, age, guided: guided === 1 }));
  }
  linksOf(index: number): Link[] {
    return this.groups(this.calls.links_of(index), 3).map(([peer = 0, near, focus]) => ({ peer, near: near === 1, focus: focus === 1 }));
  }
  traffic(of: number): number[] {
    return [...this.values(this.calls.traffic(of))];
  }

  private text(): string {
    const memory = new Uint8Array(this.calls.memory.buffer);
    const from = this.calls.text_buffer();
    return new TextDecoder().decode(memory.slice(from, memory.indexOf(0, from)));
  }
  private values(count: number): Float64Array {
    return new Float64Array(this.calls.memory.buffer, this.calls.value_buffer(), count);
  }
  private groups(count: number, size: number): number[][] {
    const all = this.values(count);
    return Array.from({ length: count / size }, (_, i) => [...all.slice(i * size, i * size + size)]);
  }
}
