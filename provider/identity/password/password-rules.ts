import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { newPassword } from '../../../contract/operator/operator-calls.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { computeBloomBits, normalizePassword } from '../../../contract/auth/common-passwords-filter.ts'
import { COMMON_PASSWORDS } from './common-passwords-filter.ts'
import type { FormProblem } from '../pages/form-fields.ts'

export const PASSWORD_LENGTH_MESSAGE = 'Use 10 to 200 characters.'
const TOO_FEW_CHARACTERS_MESSAGE = 'Use at least four different characters.'
const PREDICTABLE_MESSAGE = 'This password is a simple repetition or sequence. Choose one that’s harder to guess.'
const COMMON_MESSAGE = 'This password is too common. Try four unrelated words.'
const EMAIL_OR_BRAND_MESSAGE = `This password is too similar to your email or the name ${BRAND_NAME}. Choose something unrelated.`

const MIN_DIFFERENT_CHARACTERS = 4
/** Minimum number of characters that a password must contain besides the email address or the brand name. */
const MIN_EXTRA_CHARACTERS = 5
const KEYBOARD_ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']

let commonPasswordsFilter: Uint8Array | null = null

/** Checks the Bloom filter of common passwords. The filter also reports 1 in 2,000 other passwords as common. */
function isCommonPassword(normalizedPassword: string): boolean {
  commonPasswordsFilter ??= Uint8Array.from(Buffer.from(COMMON_PASSWORDS, 'base64'))
  const bits = commonPasswordsFilter
  const digest = createHash('sha256').update(normalizedPassword).digest()
  return computeBloomBits(digest, bits.length * 8).every((bit) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, n) => code - (codes[n] ?? 0)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

function isKeyboardSequence(text: string): boolean {
  const keys = KEYBOARD_ROWS.join('')
  return [keys, [...keys].reverse().join('')].some((all) => all.includes(text))
}

const isRepeatedPattern = (text: string) => /^(.{1,5})\1+$/u.test(text)

/**
 * Returns true if the text contains one of the words and fewer than `MIN_EXTRA_CHARACTERS` other characters. Ignores
 * words of one or two characters.
 */
function hasTooFewExtraCharacters(words: readonly string[], text: string): boolean {
  return words.some(
    (word) => word.length > 2 && text.includes(word) && [...text.replace(word, '')].length < MIN_EXTRA_CHARACTERS,
  )
}

/**
 * Returns one sentence that tells the user why the account with email address `email` cannot use `password`; null if it
 * can.
 */
export function findPasswordProblem(password: string, email: string): string | null {
  if (!v.is(newPassword, password)) return PASSWORD_LENGTH_MESSAGE
  const text = normalizePassword(password)
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return TOO_FEW_CHARACTERS_MESSAGE
  const address = normalizePassword(email.trim())
  const [local = ''] = address.split('@')
  if (hasTooFewExtraCharacters([address, local, normalizePassword(BRAND_NAME)], text)) return EMAIL_OR_BRAND_MESSAGE
  if (isSequence(text) || isKeyboardSequence(text) || isRepeatedPattern(text)) return PREDICTABLE_MESSAGE
  return isCommonPassword(text) ? COMMON_MESSAGE : null
}

/**
 * Checks a new password like `findPasswordProblem`, and checks that the user typed the same password twice. Returns the
 * problem with the field `password` or `repeat`.
 */
export function findNewPasswordProblem(password: string, repeat: string, email: string): FormProblem | null {
  const message = findPasswordProblem(password, email)
  if (message !== null) return { field: 'password', message }
  const mismatch = 'The passwords don’t match. Enter the same password twice.'
  return password === repeat ? null : { field: 'repeat', message: mismatch }
}
