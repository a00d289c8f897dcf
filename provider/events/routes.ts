import type { Hono } from 'hono'
import { anomalyBatch, getEventListByIds, retentionPolicy } from '../../contract/events/event-calls.ts'
import { reviewEvents } from '../../contract/events/feed-and-review-calls.ts'
import { eventFeedback, feedbackVideo } from '../../contract/events/feedback.ts'
import { previewMotion } from '../../contract/cameras/owner-calls.ts'
import * as calls from '../../contract/events/timeline.ts'
import type { AppEnv, Env } from '../env.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import * as change from './event-action-handlers.ts'
import { handleClipExport } from './export/clip-export-handlers.ts'
import * as past from './event-history-handlers.ts'
import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import type { MotionPreviewResult } from '../bridge/motion-preview-result.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'
import { getObject } from '../platform/objects.ts'

export function eventRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getEventListByIds, ({ env, account, input, now }) =>
    past.handleEventsByIds(env, account.userId, input.event_id_list, now),
  )
  serveCall(app, retentionPolicy, ({ env, account, input, now }) =>
    past.handleRetentionPolicy(env, account.userId, input, now),
  )
  serveCall(app, anomalyBatch, ({ env, account, input, now }) => past.handleAnomalies(env, account.userId, input, now))
  serveCall(app, calls.timeline, ({ env, account, input, now }) => past.handleTimeline(env, account.userId, input, now))
  serveCall(app, calls.getRetention, ({ env, account, now }) => past.handleRetentionStatus(env, account.userId, now))
  serveCall(app, reviewEvents, ({ env, account, input, now }) =>
    change.reviewVisibleEvents(env, account.userId, input, now),
  )
  serveCall(app, calls.deleteEvents, ({ env, account, input, now }) =>
    change.deleteOwnEvents(env, account.userId, input.event_ids, now),
  )
  serveCall(app, calls.restoreEvents, ({ env, account, input, now }) =>
    change.restoreOwnEvents(env, account.userId, input.event_ids, now),
  )
  serveCall(app, eventFeedback, ({ env, account, input, params, now }) =>
    change.storeEventFeedback(env, account.userId, { ...input, eventId: params['event_id'] }, now),
  )
  serveCall(app, feedbackVideo, ({ env, account, input, params, now }) =>
    change.putFeedbackVideo(
      env,
      account.userId,
      { deviceMac: params['deviceMac'], eventId: params['eventId'] },
      input,
      now,
    ),
  )
  serveCall(app, previewMotion, ({ env, account, input }) =>
    handleMotionPreview(env, account.userId, input.device_id, input.settings),
  )
  serveCall(app, calls.exportClips, ({ env, account, input, now }) => handleClipExport(env, account, input.files, now))
}

/**
 * Returns the bridge's motion preview: the effect of new settings on the last hour. Throws 403 if the account does not
 * own the camera, and 404 if it may not see the camera.
 */
async function handleMotionPreview(
  env: Env,
  userId: string,
  deviceId: string,
  settings: CameraSettings,
): Promise<MotionPreviewResult> {
  const camera = await requireCameraOwner(env, userId, deviceId)
  return await getObject(env, 'BRIDGES', camera.bridge_id).requestMotionPreview(deviceId, settings)
}
