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
/** Characters beside a known word that make a password its own. */
const MIN_BESIDE = 5
const ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']

let filter: Uint8Array | null = null

/** Whether it is one of the common passwords; of others one in 2,000 is taken for one. */
function isCommon(comparable: string): boolean {
  filter ??= Uint8Array.from(Buffer.from(COMMON_PASSWORDS, 'base64'))
  const bits = filter
  const digest = createHash('sha256').update(comparable).digest()
  return bloomBits(digest, bits.length * 8).every((bit) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Each character the next of the alphabet, or each the one before. */
function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, n) => code - (codes[n] ?? 0)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/** A row of keys forwards or backwards, or rows one after another. */
function isKeyboard(text: string): boolean {
  const keys = ROWS.join('')
  return [keys, [...keys].reverse().join('')].some((all) => all.includes(text))
}

const isRepeated = (text: string) => /^(.{1,5})\1+$/u.test(text)

/** Whether it is one of the words with fewer than five characters beside it. */
function isLittleMoreThan(words: readonly string[], text: string): boolean {
  return words.some((word) => word.length > 2 && text.includes(word) && [...text.replace(word, '')].length < MIN_BESIDE)
}

/** One sentence that says why `password` is none for the account `email`, or null when it may be set. */
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

/** The same of a password that was typed twice. */
export function newPasswordProblem(password: string, repeat: string, email: string): string | null {
  const problem = passwordProblem(password, email)
  if (problem !== null) return problem
  return password === repeat ? null : 'The two passwords are not the same. Type the new one twice.'
}
