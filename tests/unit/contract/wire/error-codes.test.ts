import { expect, test } from 'vitest'
import { findCatalogEntry, ERROR_CATALOG } from '../../../../contract/wire/error-codes.ts'
import { OAUTH_ERRORS } from '../../../../src/domain/copy/oauth-texts.ts'

const SERVER_PROBLEM_TEXT = 'There was a problem with the server. Please try again later or contact us for assistance.'

test.each([
  ['ERROR-04', '429', 'This action is too frequently. Please wait before trying again.'],
  ['ERROR-05', '404', 'Oops! The page you were trying to access could not be found.'],
  ['ERROR-06', '500', SERVER_PROBLEM_TEXT],
  ['ERROR-07', '510', SERVER_PROBLEM_TEXT],
  ['ERROR-08', '504', 'The server is taking too long to respond. Please try again later or contact us for assistance.'],
  ['ERROR-09', '400', "This page isn't working right now. Please try again later or contact us for assistance."],
  ['ERROR-12', '4290', SERVER_PROBLEM_TEXT],
  ['ERROR-23', '0000', 'Please correct the payment errors below.'],
])('%s code %s has its literal text', (_, code, text) => {
  expect(findCatalogEntry(code)?.text).toBe(text)
})

test.each([
  ['ERROR-10', '1001', ['loading', 'page or resource']],
  ['ERROR-11', '1002', ['modern browser', 'LocalStorage', 'privacy mode off']],
  ['ERROR-13', '4301', ['devices failed to bind', 'bulk']],
  ['ERROR-14', '4302', ['extension limit', 'maximum']],
  ['ERROR-15', '3056', ['requested events', 'smaller date and time range']],
  ['ERROR-16', '4101', ['coupon code is invalid', 'typos', 're-enter']],
  ['ERROR-17', '4102', ['unlimited cameras plan', 'cannot be redeemed', 'contact support']],
  ['ERROR-18', '4103', ['not eligible', 'current subscription', 'terms of the promotion']],
  ['ERROR-21', '4104', ['redeeming', 'credits', 're-enter']],
  ['ERROR-22', '4107', ['select eligible customers', 'contact support']],
  ['ERROR-24', '4220', ['payment details could not be verified']],
  ['ERROR-25', '4221', ['insufficient funds', 'bank', 'another card']],
  ['ERROR-26', '4222', ['payment details could not be verified', 'another payment method']],
  ['ERROR-27', '4223', ['billing address could not be verified']],
  ['ERROR-28', '4224', ['wallet', 'declined', 'different payment method']],
  ['ERROR-29', '4225', ['error processing', 'retry', 'contact support']],
  ['ERROR-30', '4226', ['error operating', 'payment method']],
])('%s code %s says what the catalog describes', (_, code, parts) => {
  const text = findCatalogEntry(code)?.text.toLowerCase()
  for (const part of parts) expect(text).toContain(part.toLowerCase())
})

test('ERROR-19 ERROR-20 codes 4105 and 4106 have the same text as 4103', () => {
  expect(findCatalogEntry('4105')?.text).toBe(findCatalogEntry('4103')?.text)
  expect(findCatalogEntry('4106')?.text).toBe(findCatalogEntry('4103')?.text)
})

test('ERROR-02 the table contains every code of the catalog, and 401 is not among them', () => {
  const codes = ['429', '404', '500', '510', '504', '400', '1001', '1002', '4290', '4301', '4302', '3056', '0000']
  const ranges = [
    ...Array.from({ length: 7 }, (_, i) => `${4101 + i}`),
    ...Array.from({ length: 7 }, (_, i) => `${4220 + i}`),
  ]
  expect(Object.keys(ERROR_CATALOG)).toEqual(expect.arrayContaining([...codes, ...ranges]))
  expect(findCatalogEntry('401')).toBeUndefined()
})

test.each([
  ['invalid_request', /invalid.*log in/i],
  ['invalid_client', /recognize this portal.*contact us/i],
  ['invalid_grant', /expired or was already used.*log in/i],
  ['access_denied', /didn’t allow.*log in/i],
])('AUTH-24 the OAuth error %s has a standard text that says what happened and what to do', (code, text) => {
  expect(OAUTH_ERRORS[code]).toMatch(text)
})

test('each error of RFC 6749 has a text, and each text says what to do', () => {
  const texts = Object.values(OAUTH_ERRORS)
  expect(texts).toHaveLength(10)
  expect(texts.filter((text) => !/log in|contact us/i.test(text))).toEqual([])
})
