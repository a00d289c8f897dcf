/** Error catalog, keyed by body code or HTTP status. OPEN-107 defines texts that the requirements only describe. */

export type ToastStyle = 'error' | 'warning'
export interface CatalogEntry {
  readonly text: string
  readonly style: ToastStyle
}

const error = (text: string): CatalogEntry => ({ text, style: 'error' })
const warning = (text: string): CatalogEntry => ({ text, style: 'warning' })

const SERVER_PROBLEM_TEXT = 'There was a problem with the server. Please try again later or contact us for assistance.'
const INELIGIBLE_TEXT =
  'You are not eligible to redeem this coupon because of your current subscription. Please review the terms of the promotion.'

export const ERROR_CATALOG = {
  '0000': error('Please correct the payment errors below.'),
  '400': error("This page isn't working right now. Please try again later or contact us for assistance."),
  '403': error('You do not have access to this. Please sign in again or contact us for assistance.'),
  '404': error('Oops! The page you were trying to access could not be found.'),
  '429': error('This action is too frequently. Please wait before trying again.'),
  '500': error(SERVER_PROBLEM_TEXT),
  '502': error(SERVER_PROBLEM_TEXT),
  '503': error(SERVER_PROBLEM_TEXT),
  '504': error('The server is taking too long to respond. Please try again later or contact us for assistance.'),
  '510': error(SERVER_PROBLEM_TEXT),
  '1001': error('There was an error loading the page or resource. Please reload and try again.'),
  '1002': error('Please use a modern browser that supports LocalStorage, with privacy mode off.'),
  '3056': error('We had trouble fetching the requested events. Please use a smaller date and time range.'),
  '4101': error('This coupon code is invalid. Please check for typos and re-enter it.'),
  '4102': error(
    'You are already subscribed to the unlimited cameras plan, so this type of coupon cannot be redeemed. Please contact support.',
  ),
  '4103': error(INELIGIBLE_TEXT),
  '4104': error('There was an error redeeming this coupon as credits. Please re-enter the code.'),
  '4105': error(INELIGIBLE_TEXT),
  '4106': error(INELIGIBLE_TEXT),
  '4107': error('This coupon is for select eligible customers. Please contact support.'),
  '4220': error('Your payment details could not be verified.'),
  '4221': error('Your card has insufficient funds. Please contact your bank or use another card.'),
  '4222': error('Your payment details could not be verified. Please try another payment method.'),
  '4223': error('Your billing address could not be verified.'),
  '4224': error('Your wallet payment method was declined. Please use a different payment method.'),
  '4225': error('There was an error processing your payment. Please retry or contact support.'),
  '4226': error('There was an error operating this payment method.'),
  '4290': error(SERVER_PROBLEM_TEXT),
  '4301': warning('Individual devices failed to bind while binding devices in bulk.'),
  '4302': error('Your extension limit has exceeded the maximum value.'),
} as const satisfies Record<string, CatalogEntry>

/** Returns the entry of a body code or HTTP status; undefined if the catalog has none. */
export function findCatalogEntry(code: string | number): CatalogEntry | undefined {
  return (ERROR_CATALOG as Record<string, CatalogEntry>)[String(code)]
}

const MEANING_BY_STATUS: Readonly<Record<number, string>> = {
  200: 'success',
  304: 'not modified',
  400: 'client error',
  401: 'authenticate',
  403: 'forbidden',
  404: 'not found',
  500: 'server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

/**
 * Returns the meaning of an HTTP status (ERROR-37). Returns undefined for status 0 (no response) and for statuses
 * without a meaning.
 */
export const getStatusMeaning = (status: number): string | undefined => MEANING_BY_STATUS[status]
