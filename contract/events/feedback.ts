import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, timestampMs, text } from '../wire/envelope.ts'

export const verdict = v.picklist(['right', 'wrong', 'none'])
export type Verdict = v.InferOutput<typeof verdict>

/**
 * Rates whether title and tags match the event; `none` withdraws the rating. 404: the account cannot see this event.
 */
export const eventFeedback = call(
  'CALL-44',
  'PUT',
  '/events/{event_id}/feedback',
  'ai-feedback',
  { request: v.object({ feedback: verdict }), response: envelope(200, v.object({ feedback: verdict })) },
  { nonce: true },
)

/** Plan tier in a feedback video, sent as `service`; 0 if the plan has no tier (OPEN-75). */
export const feedbackService = v.picklist([0, 1, 3])
export type FeedbackService = v.InferOutput<typeof feedbackService>

/**
 * `submit`: lets the makers of the portal view the event's clip. `withdraw`: ends this consent. Clip times in ms UTC.
 * 403: the account does not own the camera. 404: the event is missing or has no clip.
 */
export const feedbackVideo = call(
  'CALL-45',
  'POST',
  '/feedbackvideo/{deviceMac}/{eventId}',
  'ai-feedback',
  {
    request: v.object({
      event_begin_ts: timestampMs,
      event_end_ts: timestampMs,
      stage: v.picklist(['submit', 'withdraw']),
      data: v.object({
        device_info: v.object({ device_id: deviceId, product_model: text(64), firmware_version: v.optional(text(40)) }),
        /** First tag id of the event; '' without tags. */
        alarm_type: text(20),
        collect_channel: v.literal('web'),
        /** Tag ids that the event should have had according to the reporter. */
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
