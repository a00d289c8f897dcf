import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** PEM texts of a self-signed certificate for `localhost` and `127.0.0.1`. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const octets = (body: Buffer) => tlv(0x04, body)
const time = (at: Date) => tlv(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALT_NAMES = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')

/**
 * Creates a certificate, valid for a day: X.509 version 3 in DER, written out because no dependency makes certificates.
 */
export function makeCertificate(now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from('Porchlight test')))))
  const names = sequence(tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = sequence(tlv(0x01, Buffer.from([255])))
  const extensions = sequence(
    sequence(ALT_NAMES, octets(names)),
    sequence(BASIC_CONSTRAINTS, tlv(0x01, Buffer.from([255])), octets(isAuthority)),
  )
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_SHA256,
    name,
    sequence(time(new Date(now - 3_600_000)), time(new Date(now + 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  )
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = sequence(content, ECDSA_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
