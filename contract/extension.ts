import * as v from 'valibot'
import { call } from './call.ts'
import { envelope, id } from './envelope.ts'

/** Calls beyond the specification: web back-end host, raw Authorization and request_id, unsigned, nonce on writes. */

/** A single-use address of the home feed, valid for 60 s. */
export const feedTicket = call(
  'EXT-feed-ticket',
  'POST',
  '/extension/feed-ticket',
  'extension',
  { request: v.object({}), response: envelope(200, v.object({ url: v.string() })) },
  { nonce: true },
)

/** Marks events as seen; every open page of the home hears of it through the feed. */
export const reviewEvents = call(
  'EXT-review',
  'POST',
  '/extension/review',
  'extension',
  {
    request: v.object({ event_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(500)) }),
    response: envelope(200, v.object({ reviewed: v.number() })),
  },
  { nonce: true },
)
