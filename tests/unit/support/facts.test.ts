import { expect, test } from 'vitest'
import { areDistinct, extractFacts, statesNoCharge, announcesRefund, statesUnknownResult } from '../../support/facts.ts'

test.each<[text: string, facts: string[]]>([
  [
    '$10.81 comes back to Visa ·· 4242, \u2212$1,200.00 to Amex 1005.',
    ['$10.81', 'Visa ·· 4242', '\u2212$1,200.00', 'Amex ·· 1005'],
  ],
  ['Until 22 December. It moves to 11 January 2027, 8\u00a0Aug 2026.', ['22 Dec', '11 Jan 2027', '8 Aug 2026']],
  ['It renews December 22, 2026 and ends May 1.', ['22 Dec 2026', '1 May']],
  ['On for 23 h 34 min, from 09:41 to 10:00:25', ['23 h', '34 min', '09:41', '10:00:25']],
  ['One of your 3 cameras keeps 1,200 clips for 30 days, 3.4 GB.', ['1', '3', '1,200', '30 days', '3.4 GB']],
  ['10 % off, 8.25% tax', ['10 %', '8.25%']],
  ['maya@example.com at 203.0.113.x says “two words”.', ['maya@example.com', '203.0.113.x', '“two words”']],
  ['Camera AI becomes Unlimited Cameras.', ['Camera AI', 'Unlimited Cameras']],
  ['No facts are here: one of any, H.264, PL-1, the 2nd.', []],
  ['', []],
])('the facts of %j are %j', (text, facts) => {
  expect(extractFacts(text)).toEqual(facts)
})

test('given names are found as whole words, longest first, and at the start of a sentence', () => {
  expect(
    extractFacts('Balance pays. Your Back door and the Backyard, not the balances.', 'balance', 'Back', 'Back door'),
  ).toEqual(['balance', 'Back door'])
  expect(extractFacts('It is (a+b) here.', '(a+b)')).toEqual(['(a+b)'])
})

test('statements about refunds and charges are recognized in their various wordings', () => {
  const refunds = ['All that you paid comes back.', 'Given back to Visa 4242', 'Ends immediately with a full refund.']
  expect(refunds.map(announcesRefund)).toEqual([true, true, true])
  const keeps = ['Nothing comes back.', 'No refund.', 'Clips are gone for good.']
  expect(keeps.map(announcesRefund)).toEqual([false, false, false])
  const free = [
    'No further charge.',
    'Nothing was charged.',
    'It is not charged any more.',
    "You haven't been charged.",
    'You won’t be charged until you do.',
  ]
  expect(free.map(statesNoCharge)).toEqual([true, true, true, true, true])
  const charges = ['$10.81 is charged.', 'The charge did not go through.', 'You won’t be charged twice.']
  expect(charges.map(statesNoCharge)).toEqual([false, false, false])
})

test('an unknown outcome is recognized in its various wordings', () => {
  const sentences = [
    'It is not known yet whether this went through.',
    "We can't tell if the payment went through.",
    'Not paid.',
  ]
  expect(sentences.map(statesUnknownResult)).toEqual([true, true, false])
})

test('texts are distinct if none is empty and no two are equal', () => {
  expect([['a', 'b'], ['a', 'a'], ['a', ' '], []].map(areDistinct)).toEqual([true, false, false, true])
})
