import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'
import { signHmacHex, textKey } from '../../platform/crypto/hmac.ts'

/** Length of the signature: 128 bits in hex. */
const SIGNED = 32

const signed = async (secret: string, random: string) =>
  `${random}-${(await signHmacHex(await textKey(secret), `first-party value ${random}`)).slice(0, SIGNED)}`

/**
 * Creates a value that identifies a browser: random characters and their signature, so that the provider need not store
 * the value.
 */
export const newFirstParty = (secret: string): Promise<string> =>
  signed(secret, crypto.randomUUID().replaceAll('-', ''))

/** Verifies the signature of a value in constant time. */
export async function isFirstParty(secret: string, value: string): Promise<boolean> {
  const [random = ''] = value.split('-')
  return isEqualConstantTime(value, await signed(secret, random))
}
