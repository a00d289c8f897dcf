import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { newPassword } from '../../../contract/operator/operator-calls.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { bloomBits, comparablePassword } from '../../../contract/auth/common-passwords-filter.ts'
import { COMMON_PASSWORDS } from './common-passwords-filter.ts'

const LENGTH = 'A password has 10 to 200 characters. Choose another.'
const FEW = 'This password has too few different characters. Use at least four.'
const PLAIN =
  'This password repeats one piece or follows the alphabet or the keyboard. Choose one that is harder to guess.'
const COMMON =
  'This password is on the lists that are tried first. Choose another, such as four words that do not belong together.'
const OWN = `This password is little more than your e-mail address or the name ${BRAND_NAME}. Choose one that follows from neither.`

const MIN_DIFFERENT = 4
/** Minimum number of characters that a password must have in addition to a known word. */
const MIN_BESIDE = 5
const ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']

let filter: Uint8Array | null = null

/** Checks the Bloom filter of common passwords. The filter also reports 1 in 2,000 other passwords as common. */
function isCommon(comparable: string): boolean {
  filter ??= Uint8Array.from(Buffer.from(COMMON_PASSWORDS, 'base64'))
  const bits = filter
  const digest = createHash('sha256').update(comparable).digest()
  return bloomBits(digest, bits.length * 8).every((bit) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Returns true if the characters are consecutive in the alphabet, forwards or backwards. */
function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, n) => code - (codes[n] ?? 0)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/** Returns true for consecutive keys of the keyboard rows, forwards or backwards. */
function isKeyboard(text: string): boolean {
  const keys = ROWS.join('')
  return [keys, [...keys].reverse().join('')].some((all) => all.includes(text))
}

const isRepeated = (text: string) => /^(.{1,5})\1+$/u.test(text)

/** Returns true if the text contains one of the words and fewer than `MIN_BESIDE` other characters. */
function isLittleMoreThan(words: readonly string[], text: string): boolean {
  return words.some((word) => word.length > 2 && text.includes(word) && [...text.replace(word, '')].length < MIN_BESIDE)
}

/** Returns one sentence that says why the account with address `email` cannot use `password`; null if it can. */
export function passwordProblem(password: string, email: string): string | null {
  if (!v.is(newPassword, password)) return LENGTH
  const text = comparablePassword(password)
  if (new Set(text).size < MIN_DIFFERENT) return FEW
  const address = comparablePassword(email.trim())
  const [local = ''] = address.split('@')
  if (isLittleMoreThan([address, local, comparablePassword(BRAND_NAME)], text)) return OWN
  if (isSequence(text) || isKeyboard(text) || isRepeated(text)) return PLAIN
  return isCommon(text) ? COMMON : null
}

/** Checks a new password like `passwordProblem`, and checks that both entries are equal. */
export function newPasswordProblem(password: string, repeat: string, email: string): string | null {
  const problem = passwordProblem(password, email)
  if (problem !== null) return problem
  return password === repeat ? null : 'The two passwords are not the same. Type the new one twice.'
}
