import { atom } from 'nanostores'
import { USER_AGENT_MAX } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import { eventFeedback, feedbackVideo, type Verdict } from '../../../contract/events/feedback.ts'
import { request } from '../../api/api-client.ts'
import { createNoResponseFailure } from '../../api/result.ts'
import { getClip } from '../../domain/events/event-recording.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { getFeedbackTier } from '../../domain/events/feedback-tier.ts'
import { $eventCameras } from './event-cameras.ts'
import { persistentFlag } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'
import { $subscriptions, loadSubscriptions } from '../billing/subscriptions.ts'
import { runUserAction, type Failure, showFailure } from '../shell/report-failure.ts'

/** True if this user has ever given feedback on an event (FEEDBACK-01). */
export const $feedBack = persistentFlag(STORAGE_KEYS.feedBack)
/** True if events ask for feedback (FEEDBACK-02). */
export const $feedbackSwitch = persistentFlag(STORAGE_KEYS.feedbackSwitch, true)

/** Feedback given on this page, by event id. */
export const $eventVerdicts = atom<Readonly<Record<string, Verdict>>>({})
export const $sentFeedbackClips = atom<ReadonlySet<string>>(new Set())

/** Votes on an event's title and tags; the same vote again removes the vote. */
export async function sendEventVerdict(event: Event, verdict: Exclude<Verdict, 'none'>): Promise<void> {
  const previousVerdict = $eventVerdicts.get()[event.event_id] ?? 'none'
  const next: Verdict = previousVerdict === verdict ? 'none' : verdict
  setVerdict(event, next)
  const pending = request(eventFeedback, { feedback: next }, { params: { event_id: event.event_id } })
  if (await runUserAction(pending, { own: 'We couldn’t save your answer. Try again.' }))
    setVerdict(event, previousVerdict)
  else $feedBack.set(true)
}

function setVerdict(event: Event, verdict: Verdict): void {
  $eventVerdicts.set({ ...$eventVerdicts.get(), [event.event_id]: verdict })
}

/**
 * Sends the clip of an event as feedback, or withdraws the clip. Before sending, the caller must get the consent of the
 * camera's owner.
 */
export async function sendFeedbackClip(
  event: Event,
  reportedTags: readonly string[],
  stage: 'submit' | 'withdraw',
): Promise<Failure | null> {
  const camera = $eventCameras.get().find(({ device_id }) => device_id === event.device_id)
  const resource = getClip(event)?.resource
  if (!camera || !resource)
    return showFailure('toast', createNoResponseFailure('ERR_BAD_REQUEST'), 'This event no longer has a clip.')
  const { firmware_version } = camera
  const service = getFeedbackTier(await listRunningSkus())
  const pending = request(
    feedbackVideo,
    {
      event_begin_ts: resource.begin_time,
      event_end_ts: resource.end_time,
      stage,
      data: {
        device_info: {
          device_id: event.device_id,
          product_model: camera.device_model,
          ...(firmware_version && { firmware_version }),
        },
        alarm_type: event.tags[0] ?? '',
        collect_channel: 'web',
        reported_tags: [...reportedTags],
        extra_info: {
          app_version: String(import.meta.env.BUILD_ID),
          user_agent: navigator.userAgent.slice(0, USER_AGENT_MAX),
        },
        service,
      },
    },
    { params: { deviceMac: event.device_id, eventId: event.event_id } },
  )
  const doneText = stage === 'submit' ? 'Clip sent.' : 'Clip withdrawn.'
  const failedText = `We couldn’t ${stage === 'submit' ? 'send' : 'withdraw'} the clip. Try again.`
  const failure = await runUserAction(pending, { own: failedText, done: doneText })
  if (failure) return failure
  const sent = new Set($sentFeedbackClips.get())
  if (stage === 'submit') sent.add(event.event_id)
  else sent.delete(event.event_id)
  $sentFeedbackClips.set(sent)
  return null
}

async function listRunningSkus(): Promise<Sku[]> {
  await loadSubscriptions()
  const subs = $subscriptions.get()
  return subs.state === 'ready' ? subs.subscriptions.flatMap(({ sku, running }) => (running ? [sku] : [])) : []
}
