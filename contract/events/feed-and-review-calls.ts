import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id } from '../wire/envelope.ts'

/**
 * Extension calls: calls that have no CALL row in the requirements. The edge sends them to the host of the endpoint
 * group `extension`, with the access token alone in the `Authorization` header, and with a `request_id` header. They
 * are not signed. POST calls carry a nonce.
 */

/** Single-use URL of the home feed, valid for 60 s. */
export const feedTicket = call(
  'EXT-feed-ticket',
  'POST',
  '/extension/feed-ticket',
  'extension',
  { request: v.object({}), response: envelope(200, v.object({ url: v.string() })) },
  { nonce: true },
)

/**
 * Marks events as reviewed, or as unreviewed with `reviewed: false`. The feed sends each open page the ids of the
 * changed events of the cameras that its account can see. 404: the account can see none of the requested events.
 */
export const reviewEvents = call(
  'EXT-review',
  'POST',
  '/extension/review',
  'extension',
  {
    request: v.object({
      event_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(500)),
      reviewed: v.optional(v.boolean(), true),
    }),
    /** Number of requested ids whose events the account can see. */
    response: envelope(200, v.object({ reviewed: v.number() })),
  },
  { nonce: true },
)
