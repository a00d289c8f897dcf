import type { Hono } from 'hono'
import { anomalyBatch, getEventListByIds, retentionPolicy } from '../../contract/events/event-calls.ts'
import { reviewEvents } from '../../contract/events/feed-and-review-calls.ts'
import { eventFeedback, feedbackVideo } from '../../contract/events/feedback.ts'
import { previewMotion } from '../../contract/cameras/owner-calls.ts'
import * as calls from '../../contract/events/timeline.ts'
import type { AppEnv, Env } from '../env.ts'
import { serveCallWithAccess } from '../platform/http/serve-call.ts'
import * as change from './event-action-handlers.ts'
import { handleClipExport } from './export/clip-export-handlers.ts'
import * as past from './event-history-handlers.ts'
import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import type { MotionPreviewResult } from '../bridge/motion-preview-result.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'
import { getObject } from '../platform/objects.ts'

export function eventRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getEventListByIds, ({ env, access, input, now }) =>
    past.handleEventsByIds(env, access, input.event_id_list, now),
  )
  serveCallWithAccess(app, retentionPolicy, ({ env, access, input, now }) =>
    past.handleRetentionPolicy(env, access, input, now),
  )
  serveCallWithAccess(app, anomalyBatch, ({ env, access, input, now }) => past.handleAnomalies(env, access, input, now))
  serveCallWithAccess(app, calls.timeline, ({ env, access, input, now }) =>
    past.handleTimeline(env, access, input, now),
  )
  serveCallWithAccess(app, calls.getRetention, ({ env, access, now }) => past.handleRetentionStatus(env, access, now))
  serveCallWithAccess(app, reviewEvents, ({ env, access, input, now }) =>
    change.reviewVisibleEvents(env, access, input, now),
  )
  serveCallWithAccess(app, calls.deleteEvents, ({ env, access, input, now }) =>
    change.deleteOwnEvents(env, access, input.event_ids, now),
  )
  serveCallWithAccess(app, calls.restoreEvents, ({ env, access, input, now }) =>
    change.restoreOwnEvents(env, access, input.event_ids, now),
  )
  serveCallWithAccess(app, eventFeedback, ({ env, access, input, params, now }) =>
    change.storeEventFeedback(env, access, { ...input, eventId: params['event_id'] }, now),
  )
  serveCallWithAccess(app, feedbackVideo, ({ env, access, input, params, now }) =>
    change.putFeedbackVideo(env, access, { deviceMac: params['deviceMac'], eventId: params['eventId'] }, input, now),
  )
  serveCallWithAccess(app, previewMotion, ({ env, access, input }) =>
    handleMotionPreview(env, access, input.device_id, input.settings),
  )
  serveCallWithAccess(app, calls.exportClips, ({ env, account, access, input, now }) =>
    handleClipExport(env, { account, access }, input.files, now),
  )
}

/**
 * Returns the bridge's motion preview: the effect of new settings on the last hour. Throws 403 if the account does not
 * own the camera, and 404 if it may not see the camera.
 */
async function handleMotionPreview(
  env: Env,
  access: AccountAccess,
  deviceId: string,
  settings: CameraSettings,
): Promise<MotionPreviewResult> {
  const camera = requireCameraOwner(access, deviceId)
  return await getObject(env, 'BRIDGES', camera.bridge_id).requestMotionPreview(deviceId, settings)
}
