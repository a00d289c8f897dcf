import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  findNewPasswordProblem,
  findPasswordProblem,
} from '../../../../../provider/identity/password/password-rules.ts'

const EMAIL = 'Maya.Reyes@example.com'

test.each([
  ['nine characters', 'ninechars', /10 to 200/],
  ['ten equal letters', 'aaaaaaaaaa', /at least four different/],
  ['ten spaces', ' '.repeat(10), /at least four different/],
  ['three letters that repeat', 'abcabcabcabc', /at least four different/],
  ['a common word and a number', 'password12', /too common/],
  ['a common word with capitals', 'PassWord12', /too common/],
  ['a common word in full-width characters', 'ｐａｓｓｗｏｒｄ１２', /too common/],
  ['another common password', 'iloveyou123', /too common/],
  ['the alphabet', 'abcdefghijk', /repetition or sequence/],
  ['digits backward', '9876543210', /repetition or sequence/],
  ['a keyboard row', 'qwertyuiop', /repetition or sequence/],
  ['a keyboard row backward', 'poiuytrewq', /repetition or sequence/],
  ['one part twice', 'ab1cdab1cd', /repetition or sequence/],
  ['the account’s email address', 'maya.reyes@example.com', /your email/],
  ['the name in the email address', 'Maya.Reyes', /your email/],
  ['the name in the email address and a number', 'maya.reyes2026', /your email/],
  ['the name of the service', 'porchlight', /the name Porchlight/],
])('%s is rejected as a password, with the reason', (_, password, sentence) => {
  expect(findPasswordProblem(password, EMAIL)).toMatch(sentence)
})

test.each(['correct horse', 'four words by chance', 'Maya.Reyes has a dog', 'пароль-для-дома', 'aaaaaaaaaabcd'])(
  '%j is accepted as a password',
  (password) => {
    expect(findPasswordProblem(password, EMAIL)).toBeNull()
  },
)

test('a short name is no reason to reject a long password that contains it', () => {
  expect(findPasswordProblem('jo is not all of it', 'jo@example.com')).toBeNull()
})

test('random passwords are hardly ever mistaken for common ones', () => {
  const random = Array.from({ length: 5000 }, () => randomBytes(9).toString('base64'))
  const rejected = random.filter((password) => findPasswordProblem(password, EMAIL) !== null)
  expect(rejected.length).toBeLessThan(25)
})

test('a new password must be typed the same twice', () => {
  expect(findNewPasswordProblem('correct horse', 'correct house', EMAIL)).toEqual({
    field: 'repeat',
    message: expect.stringMatching(/don’t match/) as string,
  })
  expect(findNewPasswordProblem('short', 'short', EMAIL)).toMatchObject({ field: 'password' })
  expect(findNewPasswordProblem('correct horse', 'correct horse', EMAIL)).toBeNull()
})
