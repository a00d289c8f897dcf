import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'
import { signHmacHex, importTextKey } from '../../platform/crypto/hmac.ts'

/** Length of the signature in hex digits (128 bits). */
const SIGNATURE_LENGTH = 32

const signValue = async (secret: string, random: string) =>
  `${random}-${(await signHmacHex(await importTextKey(secret), `first-party value ${random}`)).slice(0, SIGNATURE_LENGTH)}`

/**
 * Creates a first-party value, which identifies a browser: random characters and their signature. The provider can
 * verify the signature, so it does not store the value.
 */
export const createFirstPartyValue = (secret: string): Promise<string> =>
  signValue(secret, crypto.randomUUID().replaceAll('-', ''))

/** Verifies the signature of a first-party value in constant time. */
export async function isFirstPartyValue(secret: string, value: string): Promise<boolean> {
  const [random = ''] = value.split('-')
  return isEqualConstantTime(value, await signValue(secret, random))
}
