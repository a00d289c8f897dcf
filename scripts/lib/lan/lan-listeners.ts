import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerCertificate } from './certificate-authority.ts'
import { listLanAddresses } from './lan-addresses.ts'
import { parseServerPem } from './server-certificate.ts'

/** Server on one address of the local network. */
export interface LanListener {
  setTls(tls: ServerCertificate): void
  close(): Promise<void>
}

export interface LanListenerOptions {
  /** Files of the certificate and its key. Both may be the same file. */
  readonly files: { readonly cert: string; readonly key: string }
  /** Opens one server on an address. */
  readonly open: (host: string, tls: ServerCertificate) => Promise<LanListener>
  readonly log: (line: string) => void
  readonly listAddresses?: () => string[]
}

/** Interval at which addresses and certificate files are checked, ms. */
const CHECK_INTERVAL_MS = 5000

/**
 * Servers on each address of the local network. They follow changes: a new address gets a server, the server of a
 * removed address closes, and all servers use a renewed certificate for new connections.
 */
export class LanListeners {
  readonly #options: LanListenerOptions
  readonly #listeners = new Map<string, LanListener>()
  #tls: ServerCertificate | null = null
  #lastFailure = ''
  #timer: NodeJS.Timeout | undefined

  constructor(options: LanListenerOptions) {
    this.#options = options
  }

  /**
   * Opens the servers and follows changes until `close`. Rejects if the certificate cannot be read. Logs an address on
   * which no server can listen, and retries it.
   */
  async start(): Promise<void> {
    this.#tls = readPair(this.#options.files)
    await this.check()
    this.#schedule()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await Promise.all([...this.#listeners.values()].map((listener) => listener.close()))
    this.#listeners.clear()
  }

  /** Checks addresses and certificate once. A failure is logged once and retried with the next check. */
  async check(): Promise<void> {
    try {
      this.#updateCertificate()
      await this.#sync()
      this.#lastFailure = ''
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      if (failure !== this.#lastFailure) this.#options.log(`local network: ${failure}`)
      this.#lastFailure = failure
    }
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.check().then(() => this.#schedule()), CHECK_INTERVAL_MS)
    this.#timer.unref()
  }

  #updateCertificate(): void {
    const pair = readPair(this.#options.files)
    if (pair.cert === this.#tls?.cert && pair.key === this.#tls.key) return
    this.#tls = pair
    for (const listener of this.#listeners.values()) listener.setTls(pair)
  }

  async #sync(): Promise<void> {
    const addresses = (this.#options.listAddresses ?? listLanAddresses)()
    for (const [address, listener] of this.#listeners) {
      if (addresses.includes(address)) continue
      this.#listeners.delete(address)
      await listener.close()
    }
    const failures: string[] = []
    for (const address of addresses) {
      if (this.#listeners.has(address) || !this.#tls) continue
      try {
        this.#listeners.set(address, await this.#options.open(address, this.#tls))
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error))
      }
    }
    // One address that is not ready yet must not delay the others.
    if (failures.length > 0) throw new Error(failures.join(' '))
  }
}

/** Reads certificate and key. Throws if they do not belong together, for example while another program writes them. */
function readPair({ cert, key }: LanListenerOptions['files']): ServerCertificate {
  const pair = parseServerPem(readFileSync(key, 'utf8') + (cert === key ? '' : readFileSync(cert, 'utf8')))
  if (pair === null) throw new Error(`${cert} and ${key} contain no certificate with its key`)
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error(`the key in ${key} doesn't belong to the certificate in ${cert}`)
  return pair
}
