import { atom } from 'nanostores'

/** Page that shows a failed charge, and to which the card page returns. */
export const SERVICES_PATH = '/account/services'
const UNPAID_PARAMETER = 'pay'

/** Returns the path that opens a failed charge after a card was saved for it. */
export const buildUnpaidReturn = (subscriptionId: string): string =>
  `${SERVICES_PATH}?${new URLSearchParams({ [UNPAID_PARAMETER]: subscriptionId }).toString()}`

/** Returns the subscription with the failed charge that a path opens; null for any other path. */
export function readUnpaidReturn(path: string): string | null {
  const { pathname, searchParams } = new URL(path, location.origin)
  return pathname === SERVICES_PATH ? searchParams.get(UNPAID_PARAMETER) : null
}

/**
 * Subscription for which a card was just saved; null otherwise. Ends with the visit: a reload shows the service as
 * usual.
 */
export const $unpaidReturn = atom<string | null>(null)

/** Reads the return from the URL and removes it there. */
export function openUnpaidReturn(): void {
  const subscriptionId = readUnpaidReturn(location.href)
  if (subscriptionId === null) return
  $unpaidReturn.set(subscriptionId)
  history.replaceState(history.state, '', SERVICES_PATH)
}

/** Failed charge that was paid on this page; null if there is none. */
export const $paidCharge = atom<{ readonly subscriptionId: string; readonly text: string } | null>(null)
