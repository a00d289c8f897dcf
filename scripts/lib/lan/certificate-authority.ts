import { createHash, createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isIP } from 'node:net'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509'
import * as x509 from '@peculiar/x509'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'
import { StopError } from '../stop.ts'
import { PRIVATE_NETWORKS } from './lan-addresses.ts'

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING_ALGORITHM = { ...KEY_ALGORITHM, hash: 'SHA-256' } as const

/** Ten years. Devices trust the authority only once; server certificates are short-lived. */
const AUTHORITY_LIFETIME_MS = 3652 * DAY_MS
/** Maximum lifetime that Apple accepts is 398 days. */
const SERVER_LIFETIME_MS = 397 * DAY_MS
/** Backdates certificates, because clocks of phones may be slow. */
const BACKDATE_MS = HOUR_MS

export const AUTHORITY_NAME = `${BRAND_NAME} Hub`

/** Certificate authority of one installation, in `DATA/tls`. */
export interface CertificateAuthority {
  readonly certificate: X509Certificate
  /** PEM text of the certificate. */
  readonly pem: string
  /** PEM text of the private key (PKCS #8). */
  readonly key: string
}

export interface ServerNames {
  readonly names: readonly string[]
  readonly addresses: readonly string[]
}

export interface ServerCertificate {
  /** PEM text of the certificate chain, without the authority's own certificate. */
  readonly cert: string
  /** PEM text of the private key. */
  readonly key: string
}

export const getAuthorityPaths = (data: string) => ({
  folder: join(data, 'tls'),
  cert: join(data, 'tls', 'ca.pem'),
  key: join(data, 'tls', 'ca.key'),
})

/**
 * Loads the certificate authority of the data folder. If there is none, creates one that can sign only for `names`,
 * their subdomains, `localhost` and private addresses. Throws a `StopError` if its files are damaged.
 */
export async function openAuthority(
  data: string,
  names: readonly string[],
  now = Date.now(),
): Promise<CertificateAuthority> {
  const paths = getAuthorityPaths(data)
  // Without the certificate, a key is worth nothing: the process was ended before it wrote the certificate.
  if (!existsSync(paths.cert)) {
    const created = await createAuthority(names, now)
    writePrivateFile(paths.key, created.key)
    writePrivateFile(paths.cert, created.pem)
  }
  return readAuthority(paths, now)
}

function readAuthority({ folder, cert, key }: ReturnType<typeof getAuthorityPaths>, now: number): CertificateAuthority {
  const remedy = `Restore the folder from a backup. Or delete it to create a new certificate, and trust that certificate again on each device.`
  let authority: CertificateAuthority
  try {
    const pem = readFileSync(cert, 'utf8')
    authority = { pem, key: readFileSync(key, 'utf8'), certificate: new X509Certificate(pem) }
    if (!authority.certificate.checkPrivateKey(createPrivateKey(authority.key))) throw new Error('The key differs.')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StopError(`The certificate authority in ${folder} can't be used (${reason}). ${remedy}`)
  }
  if (Date.parse(authority.certificate.validTo) < now)
    throw new StopError(`The certificate authority in ${folder} has expired. ${remedy}`)
  return authority
}

async function createAuthority(names: readonly string[], now: number): Promise<{ pem: string; key: string }> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: createSerialNumber(),
    name: [{ CN: [AUTHORITY_NAME] }, { O: [names[0] ?? BRAND_NAME] }],
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + AUTHORITY_LIFETIME_MS),
    signingAlgorithm: SIGNING_ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      // Some systems would otherwise trust the authority for programs and email, too.
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(id_ce_nameConstraints, true, encodeConstraints(names)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { pem: toPem(certificate), key: await exportKey(keys.privateKey) }
}

function encodeConstraints(names: readonly string[]): ArrayBuffer {
  const bases = [
    ...[...new Set([...names, 'localhost'])].map((dNSName) => new GeneralName({ dNSName })),
    ...PRIVATE_NETWORKS.map(([network, prefix]) => new GeneralName({ iPAddress: `${network}/${prefix}` })),
  ]
  const permittedSubtrees = new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base })))
  return AsnConvert.serialize(new NameConstraints({ permittedSubtrees }))
}

/** Returns the DNS names that the authority may sign for, together with all their subdomains. */
export function listPermittedNames({ pem }: Pick<CertificateAuthority, 'pem'>): string[] {
  const extension = new x509.X509Certificate(pem).getExtension(id_ce_nameConstraints)
  if (extension === null) return []
  const { permittedSubtrees } = AsnConvert.parse(extension.value, NameConstraints)
  return [...(permittedSubtrees ?? [])].flatMap(({ base }) => base.dNSName ?? [])
}

/** Returns true if the authority may sign for a DNS name. */
export const isPermittedName = (authority: Pick<CertificateAuthority, 'pem'>, name: string): boolean =>
  listPermittedNames(authority).some((permitted) => name === permitted || name.endsWith(`.${permitted}`))

/**
 * Issues a server certificate. `names` that the authority may not sign for make the certificate invalid for every
 * client, so the caller must check them with `isPermittedName`.
 */
export async function issueServerCertificate(
  authority: CertificateAuthority,
  { names, addresses }: ServerNames,
  now = Date.now(),
): Promise<ServerCertificate> {
  const issuer = new x509.X509Certificate(authority.pem)
  const signingKey = await crypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' })),
    KEY_ALGORITHM,
    false,
    ['sign'],
  )
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const endsAt = Math.min(now - BACKDATE_MS + SERVER_LIFETIME_MS, Date.parse(authority.certificate.validTo))
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: createSerialNumber(),
    subject: [{ CN: [BRAND_NAME] }],
    issuer: issuer.subjectName,
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(endsAt),
    signingAlgorithm: SIGNING_ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns', value }) as const),
        ...addresses.filter((address) => isIP(address) !== 0).map((value) => ({ type: 'ip', value }) as const),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: toPem(certificate), key: await exportKey(keys.privateKey) }
}

/** Returns the SHA-256 of a certificate as 16 groups of four hexadecimal digits. */
export function formatFingerprint(certificate: X509Certificate): string[] {
  const hex = createHash('sha256').update(certificate.raw).digest('hex').toUpperCase()
  return hex.match(/.{4}/g) ?? []
}

/** Positive 127-bit number (RFC 5280 allows up to 20 bytes). */
function createSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

const toPem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`

async function exportKey(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()
}

/** Replaces a file atomically with mode 0600; creates its folder with mode 0700. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const newPath = `${path}.new`
  writeFileSync(newPath, text, { mode: 0o600 })
  chmodSync(newPath, 0o600)
  renameSync(newPath, path)
}
