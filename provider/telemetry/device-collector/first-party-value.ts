import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'
import { hmacHex, textKey } from '../../platform/crypto/hmac.ts'

/** 128 bits of the signature, in hex. */
const SIGNED = 32

const signed = async (secret: string, random: string) =>
  `${random}-${(await hmacHex(await textKey(secret), `first-party value ${random}`)).slice(0, SIGNED)}`

/** A value by which a browser is known again: random characters and their signature, so that nothing has to be kept. */
export const newFirstParty = (secret: string): Promise<string> =>
  signed(secret, crypto.randomUUID().replaceAll('-', ''))

/** Whether a value is one of ours. */
export async function isFirstParty(secret: string, value: string): Promise<boolean> {
  const [random = ''] = value.split('-')
  return isEqualConstantTime(value, await signed(secret, random))
}
