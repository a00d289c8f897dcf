import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { renderUnicodeCompact } from 'uqr'
import type { LanOptions } from '../args.ts'
import { requireFreePort } from '../ports.ts'
import { StopError } from '../stop.ts'
import {
  formatFingerprint,
  getAuthorityPaths,
  isPermittedName,
  openAuthority,
  type CertificateAuthority,
} from './certificate-authority.ts'
import { choosePrimaryAddress, listComputerNames, listLanAddresses } from './lan-addresses.ts'
import {
  getServerCertificatePath,
  readOwnCertificate,
  renewServerCertificate,
  toUrlHost,
} from './server-certificate.ts'

/** A run that serves the local network (`--lan`). */
export interface LanRun {
  /** Name or IP address of all origins. */
  readonly host: string
  readonly portalOrigin: string
  readonly providerOrigin: string
  /** Files of the server certificate and its key. */
  readonly files: { readonly cert: string; readonly key: string }
  /** Null with the owner's own certificate. */
  readonly authority: CertificateAuthority | null
  /** File of the authority's certificate. */
  readonly authorityFile: string | null
  /** URL of the certificate page; null with the owner's own certificate. */
  readonly trustUrl: string | null
}

/** Distance of the certificate page's port from the portal's port. */
export const TRUST_PORT_OFFSET = 3
/** Interval at which addresses and the end of the certificate are checked, ms. */
const CHECK_INTERVAL_MS = 5000

/**
 * Chooses the host and prepares the certificate. Throws a `StopError` without a private address, and if the host, a port
 * or the certificate cannot be used.
 */
export async function prepareLan(data: string, port: number, options: LanOptions): Promise<LanRun> {
  const addresses = listLanAddresses()
  const host = options.host ?? (await choosePrimaryAddress(addresses))
  if (host === undefined)
    throw new StopError(
      addresses.length === 0
        ? 'This computer has no address in a local network. Connect it to a network, or start without --lan.'
        : `This computer has only IPv6 addresses in its network, and the portal can't use those. Choose a name that your other devices can find, for example: --host ${listComputerNames().at(-1) ?? 'hub.local'}`,
    )
  if (isIP(host) !== 0 && !addresses.includes(host))
    throw new StopError(`--host ${host} isn't an address of this computer. Its addresses are: ${addresses.join(', ')}.`)
  for (const address of addresses)
    for (let offset = 0; offset <= TRUST_PORT_OFFSET; offset += 1) await requireFreePort(port + offset, port, address)
  const toOrigin = (offset: number, scheme = 'https') => `${scheme}://${toUrlHost(host)}:${port + offset}`
  const origins = { host, portalOrigin: toOrigin(0), providerOrigin: toOrigin(1) }
  if (options.certificate !== null) {
    const files = { cert: resolve(options.certificate.cert), key: resolve(options.certificate.key) }
    readOwnCertificate(files, host)
    return { ...origins, files, authority: null, authorityFile: null, trustUrl: null }
  }
  const authority = await openAuthority(data, listNames(host))
  if (isIP(host) === 0 && !isPermittedName(authority, host))
    throw new StopError(
      `The certificate authority of this data folder can't sign for ${host}. Choose another --host. Or delete ${resolve(data, 'tls')} to create a new one, and trust it again on each device.`,
    )
  await renewServerCertificate(data, authority, { names: listNames(host), addresses })
  const path = getServerCertificatePath(data)
  return {
    ...origins,
    files: { cert: path, key: path },
    authority,
    authorityFile: getAuthorityPaths(data).cert,
    trustUrl: toOrigin(TRUST_PORT_OFFSET, 'http'),
  }
}

const listNames = (host: string): string[] => [
  ...new Set([...(isIP(host) === 0 ? [host] : []), ...listComputerNames()]),
]

/**
 * Renews the server certificate if this computer's addresses change or the certificate nears its end. Says once that an
 * address of the origins is gone. Runs until the process ends.
 */
export function watchServerCertificate(data: string, run: LanRun, say: (line: string) => void): void {
  let hasWarned = false
  let lastFailure = ''
  const check = async () => {
    const addresses = listLanAddresses()
    const isGone = isIP(run.host) !== 0 && !addresses.includes(run.host)
    if (isGone && !hasWarned)
      say(`This computer no longer has the address ${run.host}. Restart Porchlight to use its new address.`)
    hasWarned = isGone
    if (run.authority) await renewServerCertificate(data, run.authority, { names: listNames(run.host), addresses })
  }
  const repeat = () => {
    setTimeout(() => {
      check()
        .then(() => (lastFailure = ''))
        .catch((error: unknown) => {
          const failure = error instanceof Error ? error.message : String(error)
          if (failure !== lastFailure) say(`The certificate can't be renewed: ${failure}`)
          lastFailure = failure
        })
        .finally(repeat)
    }, CHECK_INTERVAL_MS).unref()
  }
  repeat()
}

/** Returns the lines that `npm start -- --lan` prints: QR code, what it opens, and the fingerprint to compare. */
export async function describeLan(run: LanRun): Promise<string[]> {
  const url = run.trustUrl ?? run.portalOrigin
  const lines = [renderUnicodeCompact(url)]
  if (run.authority) {
    const groups = formatFingerprint(run.authority.certificate)
    lines.push(
      `Scan the code on a phone in the same network, or open ${url}.`,
      'Compare the code on that page with this one (SHA-256):',
      ...[0, 4, 8, 12].map((at) => `  ${groups.slice(at, at + 4).join(' ')}`),
    )
  } else lines.push(`Scan the code on a phone in the same network, or open ${url}.`)
  const problem = await findNameProblem(run.host)
  return problem === null ? lines : [...lines, problem]
}

/** Returns a warning if this computer cannot resolve the name of the origins to one of its own addresses. */
async function findNameProblem(host: string): Promise<string | null> {
  if (isIP(host) !== 0) return null
  const found = await lookup(host, { all: true }).catch(() => [])
  const own = listLanAddresses()
  if (found.some(({ address }) => own.includes(address) || address.startsWith('127.'))) return null
  return `This computer can't find ${host}. Other devices can open Porchlight only if your router or mDNS knows this name.`
}
