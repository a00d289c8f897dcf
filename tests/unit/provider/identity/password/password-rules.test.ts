import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  findNewPasswordProblem,
  findPasswordProblem,
} from '../../../../../provider/identity/password/password-rules.ts'

const EMAIL = 'Maya.Reyes@example.com'

test.each([
  ['nine characters', 'ninechars', /10 to 200/],
  ['ten equal letters', 'aaaaaaaaaa', /too few different/],
  ['ten spaces', ' '.repeat(10), /too few different/],
  ['three letters that repeat', 'abcabcabcabc', /too few different/],
  ['a common word and a number', 'password12', /lists that are tried first/],
  ['a common word with capitals', 'PassWord12', /lists that are tried first/],
  ['a common word in full-width characters', 'ｐａｓｓｗｏｒｄ１２', /lists that are tried first/],
  ['another common password', 'iloveyou123', /lists that are tried first/],
  ['the alphabet', 'abcdefghijk', /alphabet or the keyboard/],
  ['digits backward', '9876543210', /alphabet or the keyboard/],
  ['a keyboard row', 'qwertyuiop', /alphabet or the keyboard/],
  ['a keyboard row backward', 'poiuytrewq', /alphabet or the keyboard/],
  ['one part twice', 'ab1cdab1cd', /repeats one piece/],
  ['the account’s email address', 'maya.reyes@example.com', /your email address/],
  ['the name in the email address', 'Maya.Reyes', /your email address/],
  ['the name in the email address and a number', 'maya.reyes2026', /your email address/],
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
  expect(findNewPasswordProblem('correct horse', 'correct house', EMAIL)).toMatch(/not the same/)
  expect(findNewPasswordProblem('correct horse', 'correct horse', EMAIL)).toBeNull()
})
