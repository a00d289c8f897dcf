import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatGatewayPath, hasQueryPayload, type Call } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { HomeNetwork, HUB_ADDRESS } from './network-namespaces.ts'
import { launchPorchlight, stopPorchlight, waitForOutput, type Porchlight } from './porchlight.ts'
import { completeSignInPage, startSignIn } from './sign-in-walk.ts'
import { Visitor } from './visitor.ts'

const PASSWORD = 'a long own password'
const root = new URL('../..', import.meta.url).pathname
type Computer = 'phone' | 'hub'

/**
 * `npm start -- --lan` with one camera on the hub of a home network. `owner@example.org` has the first home, with that
 * camera. `stranger@example.org` has another home.
 */
export class LanSystem {
  readonly network: HomeNetwork
  readonly dataFolder: string
  readonly port: number
  readonly #porchlight: Porchlight
  readonly #authority: string
  /** Unix sockets that lead to the three origins from each computer. */
  readonly #routes: Readonly<Record<Computer, Record<string, string>>> = { phone: {}, hub: {} }

  private constructor(network: HomeNetwork, dataFolder: string, port: number, porchlight: Porchlight) {
    this.network = network
    this.dataFolder = dataFolder
    this.port = port
    this.#porchlight = porchlight
    this.#authority = readFileSync(join(dataFolder, 'tls/ca.pem'), 'utf8')
  }

  static async open(): Promise<LanSystem> {
    const network = new HomeNetwork()
    const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-lan-'))
    const port = await findFreePort()
    const options = ['--lan', '--virtual', '1', '--visits', 'none']
    const porchlight = launchPorchlight(dataFolder, port, options, {}, network.hubPrefix)
    await waitForOutput(porchlight, 'Stop with Ctrl-C')
    const system = new LanSystem(network, dataFolder, port, porchlight)
    for (const offset of [0, 1, 2])
      for (const from of ['phone', 'hub'] as const)
        system.#routes[from][system.getOrigin(offset)] = await network.openTunnel(port + offset, from)
    for (const email of ['owner@example.org', 'stranger@example.org']) system.#addAccount(email)
    return system
  }

  async close(): Promise<void> {
    await stopPorchlight(this.#porchlight)
    this.network.delete()
    rmSync(this.dataFolder, { recursive: true })
  }

  /** Returns the origin of the portal (0), the provider (1), or the card page (2). */
  getOrigin(offset: number): string {
    return `https://${HUB_ADDRESS}:${this.port + offset}`
  }

  /** Returns a visitor without a session, whose client address is that of the computer. */
  createVisitor(from: Computer = 'phone'): Visitor {
    return new Visitor(this.getOrigin(0), this.#authority, this.#routes[from])
  }

  /** Signs in a visitor, or returns null if the provider refuses. */
  async logIn(visitor: Visitor, email: string, password = PASSWORD): Promise<Visitor | null> {
    const callback = await this.getCallback(visitor, email, password).catch(() => null)
    if (callback === null) return null
    await visitor.navigate(callback)
    return visitor
  }

  /** Submits the sign-in form, and returns the URL of the portal that follows. */
  async getCallback(visitor: Visitor, email: string, password = PASSWORD): Promise<string> {
    return completeSignInPage(visitor, await startSignIn(visitor, '/live'), email, password)
  }

  #addAccount(email: string): void {
    const command = [process.execPath, 'scripts/account.ts', 'add', email, '--data', this.dataFolder]
    const [program = '', ...args] = [...this.network.hubPrefix, ...command]
    const { status, stderr } = spawnSync(program, args, { cwd: root, input: `${PASSWORD}\n`, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
}

export const isSignedIn = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.get('/api/auth/me')).status === 200

/** Sends a call through the portal as one of its pages does. */
export function sendCall(
  visitor: Visitor,
  call: Call,
  input: unknown = {},
  params: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path = formatGatewayPath(call, params)
  if (hasQueryPayload(call.method))
    return visitor.get(`${path}?${new URLSearchParams(input as Record<string, string>).toString()}`)
  return visitor.fetch(path, {
    method: call.method,
    body: JSON.stringify(input),
    headers: {
      'content-type': 'application/json',
      origin: visitor.portalOrigin,
      'sec-fetch-site': 'same-origin',
      [XSRF_HEADER]: visitor.getCookie(XSRF_COOKIE) ?? '',
    },
  })
}
