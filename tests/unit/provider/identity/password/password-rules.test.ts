import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newPasswordProblem, passwordProblem } from '../../../../../provider/identity/password/password-rules.ts'

const EMAIL = 'Maya.Reyes@example.com'

test.each([
  ['nine chars', 'ninechars', /10 to 200/],
  ['ten equal letters', 'aaaaaaaaaa', /too few different/],
  ['ten blanks', ' '.repeat(10), /too few different/],
  ['three letters in turn', 'abcabcabcabc', /too few different/],
  ['one word and a number', 'password12', /lists that are tried first/],
  ['the same with capitals', 'PassWord12', /lists that are tried first/],
  ['the same in full width', 'ｐａｓｓｗｏｒｄ１２', /lists that are tried first/],
  ['another of the list', 'iloveyou123', /lists that are tried first/],
  ['the alphabet', 'abcdefghijk', /alphabet or the keyboard/],
  ['digits backwards', '9876543210', /alphabet or the keyboard/],
  ['a row of keys', 'qwertyuiop', /alphabet or the keyboard/],
  ['a row of keys backwards', 'poiuytrewq', /alphabet or the keyboard/],
  ['one piece twice', 'ab1cdab1cd', /repeats one piece/],
  ['the own address', 'maya.reyes@example.com', /your e-mail address/],
  ['the own name', 'Maya.Reyes', /your e-mail address/],
  ['the own name and a number', 'maya.reyes2026', /your e-mail address/],
  ['the name of the service', 'porchlight', /the name Porchlight/],
])('%s is rejected as a password, with the reason', (_, password, sentence) => {
  expect(passwordProblem(password, EMAIL)).toMatch(sentence)
})

test.each(['correct horse', 'four words by chance', 'Maya.Reyes has a dog', 'пароль-для-дома', 'aaaaaaaaaabcd'])(
  '%j is accepted as a password',
  (password) => {
    expect(passwordProblem(password, EMAIL)).toBeNull()
  },
)

test('a short name is no reason to reject a long password that contains it', () => {
  expect(passwordProblem('jo is not all of it', 'jo@example.com')).toBeNull()
})

test('random passwords are hardly ever mistaken for common ones', () => {
  const random = Array.from({ length: 5000 }, () => randomBytes(9).toString('base64'))
  const rejected = random.filter((password) => passwordProblem(password, EMAIL) !== null)
  expect(rejected.length).toBeLessThan(25)
})

test('a new password must be typed the same twice', () => {
  expect(newPasswordProblem('correct horse', 'correct house', EMAIL)).toMatch(/not the same/)
  expect(newPasswordProblem('correct horse', 'correct horse', EMAIL)).toBeNull()
})
