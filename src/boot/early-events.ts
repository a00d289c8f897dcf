import {
  EVENT_QUERY_COUNT,
  ORDER_NEWEST_FIRST,
  SIGNED_IN_COOKIE,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '../../contract/constants.ts'
import { type EventListRequest, eventHistory } from '../../contract/events.ts'
import { KEYS } from '../stores/storage.ts'

interface Facts {
  readonly url: string
  readonly marker: string
  readonly xsrfCookie: string
  readonly xsrfHeader: string
  readonly tokenKey: string
  readonly noServicesKey: string
  /** What is asked for, its days aside. */
  readonly input: Omit<EventListRequest, 'begin_time' | 'end_time'>
}

/** Runs inside the document of /events, so it uses nothing from outside: asks for today's events (preload-events.ts). */
function ask({ url, marker, xsrfCookie, xsrfHeader, tokenKey, noServicesKey, input }: Facts): void {
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  try {
    const token = localStorage.getItem(tokenKey)
    const xsrf = cookie(xsrfCookie)
    if (cookie(marker) !== '1' || !xsrf || localStorage.getItem(noServicesKey) || !window.early) return
    const headers = { 'content-type': 'application/json', [xsrfHeader]: decodeURIComponent(xsrf) }
    const begin_time = new Date().setHours(0, 0, 0, 0)
    const end_time = new Date().setHours(23, 59, 59, 999)
    window.early.events = fetch(url, {
      method: 'POST',
      headers: token ? { ...headers, 'web-app-token': token } : headers,
      body: JSON.stringify({ ...input, begin_time, end_time }),
    })
    window.early.events.catch(() => {})
  } catch {
    // Storage is blocked: the page asks once its script is there.
  }
}

/** The text of an inline script that starts today's list beside the question who is signed in. */
export const EARLY_EVENTS = `(${ask.toString()})(${JSON.stringify({
  url: `/api/p/${eventHistory.group}${eventHistory.path}`,
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  tokenKey: KEYS.webAppToken,
  noServicesKey: KEYS.noServices,
  input: {
    count: EVENT_QUERY_COUNT,
    order_by: ORDER_NEWEST_FIRST,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
  },
} satisfies Facts)})`
