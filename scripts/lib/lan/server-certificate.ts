import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { DAY_MS } from '../../../contract/time-units.ts'
import { StopError } from '../stop.ts'
import {
  isPermittedName,
  issueServerCertificate,
  writePrivateFile,
  type CertificateAuthority,
  type ServerCertificate,
  type ServerNames,
} from './certificate-authority.ts'

/** File with the private key and the certificate of the servers; one file, so that both change atomically. */
export const getServerCertificatePath = (data: string): string => join(data, 'tls', 'server.pem')

/** Remaining lifetime at which the server certificate is renewed. */
const RENEWAL_MARGIN_MS = 30 * DAY_MS

const CERTIFICATE_PATTERN = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/g
const PRIVATE_KEY_PATTERN = /-----BEGIN (?:\w+ )?PRIVATE KEY-----[\s\S]+?-----END (?:\w+ )?PRIVATE KEY-----\n?/

/** Splits a PEM text into private key and certificates; null if one of them is missing. */
export function parseServerPem(text: string): ServerCertificate | null {
  const key = PRIVATE_KEY_PATTERN.exec(text)?.[0]
  const cert = text.match(CERTIFICATE_PATTERN)?.join('')
  return key === undefined || cert === undefined ? null : { key, cert }
}

/**
 * Makes sure that `DATA/tls/server.pem` holds a certificate of the authority for these names and addresses that does
 * not end within 30 days. Returns true if a new one was issued.
 */
export async function renewServerCertificate(
  data: string,
  authority: CertificateAuthority,
  { names, addresses }: ServerNames,
  now = Date.now(),
): Promise<boolean> {
  const path = getServerCertificatePath(data)
  const required = { names: names.filter((name) => isPermittedName(authority, name)), addresses }
  if (existsSync(path) && isCurrent(readFileSync(path, 'utf8'), authority, required, now)) return false
  const { key, cert } = await issueServerCertificate(authority, required, now)
  writePrivateFile(path, key + cert)
  return true
}

function isCurrent(text: string, authority: CertificateAuthority, required: ServerNames, now: number): boolean {
  try {
    const pair = parseServerPem(text)
    if (pair === null) return false
    const certificate = new X509Certificate(pair.cert)
    return (
      certificate.checkPrivateKey(createPrivateKey(pair.key)) &&
      certificate.verify(authority.certificate.publicKey) &&
      (Date.parse(certificate.validTo) - now > RENEWAL_MARGIN_MS ||
        // A new one would not last longer than the authority either.
        certificate.validTo === authority.certificate.validTo) &&
      Date.parse(certificate.validFrom) <= now &&
      [...required.names, ...required.addresses].every((host) => coversHost(certificate, host)) &&
      listAddresses(certificate).every((address) => required.addresses.some((other) => isSameAddress(address, other)))
    )
  } catch {
    return false
  }
}

/** Returns true if a client that connects to `host`, a name or an IP address, accepts the certificate's names. */
const coversHost = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined

const listNames = (certificate: X509Certificate): string[] =>
  (certificate.subjectAltName ?? '').split(', ').flatMap((name) => (name.startsWith('DNS:') ? name.slice(4) : []))
const listAddresses = (certificate: X509Certificate): string[] =>
  (certificate.subjectAltName ?? '')
    .split(', ')
    .flatMap((name) => (name.startsWith('IP Address:') ? name.slice('IP Address:'.length) : []))

/** Compares two IP addresses in any spelling. */
const isSameAddress = (a: string, b: string): boolean => toUrlHost(a) === toUrlHost(b)

/** Returns a name or an IP address in the form that URLs contain. */
export const toUrlHost = (host: string): string => new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}`).hostname

/**
 * Reads the owner's own certificate (`--cert`, with its chain) and key (`--key`) for `host`. Throws a `StopError` that
 * says what to do if a file is unreadable, the key belongs to another certificate, or the certificate does not cover
 * the host or the current time.
 */
export function readOwnCertificate(
  files: { readonly cert: string; readonly key: string },
  host: string,
  now = Date.now(),
): ServerCertificate {
  const cert = readPemFile(files.cert, '--cert').match(CERTIFICATE_PATTERN)?.join('')
  const key = PRIVATE_KEY_PATTERN.exec(readPemFile(files.key, '--key'))?.[0]
  if (cert === undefined) throw new StopError(`${files.cert} contains no certificate in PEM format. Correct --cert.`)
  if (key === undefined) throw new StopError(`${files.key} contains no private key in PEM format. Correct --key.`)
  const certificate = parse(() => new X509Certificate(cert), files.cert)
  const privateKey = parse(() => createPrivateKey(key), files.key)
  if (!certificate.checkPrivateKey(privateKey))
    throw new StopError(`The key in ${files.key} doesn't belong to the certificate in ${files.cert}.`)
  checkDates(certificate, files.cert, now)
  if (!coversHost(certificate, host)) {
    const [name] = listNames(certificate).filter((text) => !text.includes('*'))
    const covered = certificate.subjectAltName ?? 'no name'
    const advice = name === undefined ? 'Choose the host with --host NAME.' : `Start with --host ${name}.`
    throw new StopError(`The certificate in ${files.cert} isn't valid for ${host}, only for ${covered}. ${advice}`)
  }
  return { cert, key }
}

function checkDates(certificate: X509Certificate, file: string, now: number): void {
  const formatDate = (date: string) => new Date(date).toISOString().slice(0, 10)
  if (Date.parse(certificate.validTo) <= now)
    throw new StopError(`The certificate in ${file} expired on ${formatDate(certificate.validTo)}. Renew it.`)
  if (Date.parse(certificate.validFrom) > now)
    throw new StopError(
      `The certificate in ${file} isn't valid before ${formatDate(certificate.validFrom)}. Check this computer's clock.`,
    )
}

function readPemFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StopError(`${path} can't be read (${reason}). Correct ${option}.`)
  }
}

function parse<T>(read: () => T, path: string): T {
  try {
    return read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StopError(`${path} can't be used (${reason}). Use PEM files, and a key without a password.`)
  }
}
