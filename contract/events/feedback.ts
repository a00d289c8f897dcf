import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, ms, text } from '../wire/envelope.ts'

export const verdict = v.picklist(['right', 'wrong', 'none'])
export type Verdict = v.InferOutput<typeof verdict>

/** Whether an event was what its title and tags say; `none` takes an earlier answer back. 404: not an event the account may see. */
export const eventFeedback = call(
  'CALL-44',
  'PUT',
  '/events/{event_id}/feedback',
  'ai-feedback',
  { request: v.object({ feedback: verdict }), response: envelope(200, v.object({ feedback: verdict })) },
  { nonce: true },
)

/** `service` of a feedback video: 0 where the plan has no tier (OPEN-75). */
export const feedbackService = v.picklist([0, 1, 3])
export type FeedbackService = v.InferOutput<typeof feedbackService>

/**
 * Lets the makers look at the clip of an event, which its owner has agreed to (`submit`), or takes that back (`withdraw`).
 * Times are those of the clip, ms UTC. Only the camera's owner may: 403; 404: no such event, or it has no clip.
 */
export const feedbackVideo = call(
  'CALL-45',
  'POST',
  '/feedbackvideo/{deviceMac}/{eventId}',
  'ai-feedback',
  {
    request: v.object({
      event_begin_ts: ms,
      event_end_ts: ms,
      stage: v.picklist(['submit', 'withdraw']),
      data: v.object({
        device_info: v.object({ device_id: deviceId, product_model: text(64), firmware_version: v.optional(text(40)) }),
        /** The first tag id of the event, '' without any. */
        alarm_type: text(20),
        collect_channel: v.literal('web'),
        /** Tag ids that the reporter says it should have had. */
        reported_tags: v.pipe(v.array(text(20)), v.maxLength(50)),
        /** `user_agent` is cut to 350 characters (OPEN-76). */
        extra_info: v.object({ app_version: text(40), user_agent: text(350) }),
        service: feedbackService,
      }),
    }),
    response: envelope(200, v.object({ stage: v.picklist(['submit', 'withdraw']) })),
  },
  { nonce: true },
)
