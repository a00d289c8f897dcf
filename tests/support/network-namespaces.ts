import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const HUB_ADDRESS = '192.168.77.10'
const PHONE_ADDRESS = '192.168.77.20'

/** Forwards connections to a Unix socket, which has no namespace, to a TCP port. */
const TUNNEL_SOURCE = `
import { connect, createServer } from 'node:net'
const [path, host, port] = process.argv.slice(1)
createServer((socket) => {
  const target = connect(Number(port), host)
  socket.on('error', () => target.destroy())
  target.on('error', () => socket.destroy())
  socket.pipe(target).pipe(socket)
}).listen(path, () => console.log('ready'))`

function runIp(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')} failed: ${stderr}`)
}

/** Returns true if this process may create network namespaces, which needs Linux and root. */
export function canCreateNamespaces(): boolean {
  const name = `probe-${process.pid}`
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false
  const isUsable = spawnSync('ip', ['netns', 'exec', name, 'true']).status === 0
  spawnSync('ip', ['netns', 'delete', name])
  return isUsable
}

/**
 * Two computers in a network of their own, as Linux network namespaces: `hub` with `HUB_ADDRESS`, and `phone`. Their
 * interfaces are called `eth0`, because werift ignores interfaces whose names start with `veth`.
 */
export class HomeNetwork {
  readonly hub = `hub-${process.pid}`
  readonly #phone = `phone-${process.pid}`
  readonly #folder = mkdtempSync(join(tmpdir(), 'home-network-'))
  readonly #tunnels: ChildProcess[] = []

  constructor() {
    for (const name of [this.hub, this.#phone]) runIp('netns', 'add', name)
    const ends = ['veth-hub', 'veth-phone'] as const
    runIp('link', 'add', ends[0], 'netns', this.hub, 'type', 'veth', 'peer', 'name', ends[1], 'netns', this.#phone)
    this.#configure(this.hub, ends[0], HUB_ADDRESS, PHONE_ADDRESS)
    this.#configure(this.#phone, ends[1], PHONE_ADDRESS, HUB_ADDRESS)
  }

  #configure(namespace: string, link: string, address: string, gateway: string): void {
    runIp('-n', namespace, 'link', 'set', link, 'name', 'eth0')
    runIp('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    for (const name of ['lo', 'eth0']) runIp('-n', namespace, 'link', 'set', name, 'up')
    runIp('-n', namespace, 'route', 'add', 'default', 'via', gateway)
  }

  /** Command line that runs a program on the hub. */
  get hubPrefix(): readonly string[] {
    return ['ip', 'netns', 'exec', this.hub]
  }

  addHubAddress(address: string): void {
    runIp('-n', this.hub, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  }

  removeHubAddress(address: string): void {
    runIp('-n', this.hub, 'addr', 'delete', `${address}/24`, 'dev', 'eth0')
  }

  /** Returns the path of a script that starts `program` on the phone. */
  wrapForPhone(program: string): string {
    const path = join(this.#folder, 'on-phone.sh')
    writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${this.#phone} '${program}' "$@"\n`)
    chmodSync(path, 0o700)
    return path
  }

  /** Runs a module on the phone and returns its standard output. Rejects with its standard error if it fails. */
  async runOnPhone(source: string, ...args: string[]): Promise<string> {
    const node = [process.execPath, '--input-type=module', '-e', source, ...args]
    const child = spawn('ip', ['netns', 'exec', this.#phone, ...node], { stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
    if (code !== 0) throw new Error(errors)
    return output.trim()
  }

  /**
   * Opens a tunnel through which this process connects to a port of `HUB_ADDRESS` as the phone, or as the hub does.
   * Returns the path of a Unix socket.
   */
  async openTunnel(port: number, from: 'phone' | 'hub'): Promise<string> {
    const path = join(this.#folder, `${from}-${port}.sock`)
    const node = [process.execPath, '--input-type=module', '-e', TUNNEL_SOURCE, path, HUB_ADDRESS, String(port)]
    const namespace = from === 'hub' ? this.hub : this.#phone
    const child = spawn('ip', ['netns', 'exec', namespace, ...node], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#tunnels.push(child)
    await once(child.stdout, 'data')
    return path
  }

  delete(): void {
    for (const child of this.#tunnels) child.kill()
    for (const name of [this.hub, this.#phone]) spawnSync('ip', ['netns', 'delete', name])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
