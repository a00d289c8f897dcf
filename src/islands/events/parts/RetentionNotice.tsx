import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { toSpan } from '../../../domain/time/date-range.ts'
import { resolveRange } from '../../../domain/events/event-url.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import {
  type EarlyDeletionText,
  type RetentionNoticeText,
  earlyDeletionText,
  retentionText,
} from '../../../domain/copy/retention.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { $devices } from '../../../stores/home/devices.ts'
import { useNow } from '../../../ui/use-now.ts'

/**
 * Returns the notice that some of the chosen days are outside the retention period (OPEN-67); null if no chosen day is
 * outside it, or if the retention period is not known yet.
 */
export function useRetentionNotice(): RetentionNoticeText | null {
  const { filter } = useStore($eventUrl)
  const retention = useStore($retention)
  const now = useNow()
  useEffect(() => void loadRetention(), [])
  return retention && retentionText(retention, toSpan(resolveRange(filter, now)), filter.cameras)
}

/** Returns the notice that clips of the chosen days were deleted early; null if there are none or none is known. */
export function useEarlyDeletion(): EarlyDeletionText | null {
  const { filter } = useStore($eventUrl)
  const retention = useStore($retention)
  const now = useNow()
  return retention && earlyDeletionText(retention, toSpan(resolveRange(filter, now)), filter.cameras, now)
}

/**
 * Notices below the list: clips of the chosen days were deleted early, and some of the days are outside the retention
 * period. Renders nothing without a notice.
 */
export function RetentionNotice() {
  const retention = useRetentionNotice()
  const deletion = useEarlyDeletion()
  if (!retention && !deletion) return null
  return (
    <div className="grid gap-2 px-4 py-5 text-center">
      {deletion && <EarlyDeletion deletion={deletion} className="text-small" />}
      {retention && <RetentionText kept={retention} className="text-small" />}
    </div>
  )
}

export function RetentionText({ kept: retention, className }: { kept: RetentionNoticeText; className: string }) {
  return (
    <p className={`text-ink-2 ${className}`}>
      {retention.text}
      {retention.isOwnPlan && (
        <>
          {' '}
          <a className="link" href="/account/products/choose">
            Explore plans
          </a>
        </>
      )}
    </p>
  )
}

/** For the owner, also a link to the storage of the cameras. */
export function EarlyDeletion({ deletion, className }: { deletion: EarlyDeletionText; className: string }) {
  const devices = useStore($devices)
  const isOwner =
    'devices' in devices &&
    devices.devices.some((camera) => camera.user_role === OWNER_ROLE && deletion.deviceIds.includes(camera.device_id))
  return (
    <p className={`text-ink-2 ${className}`}>
      {deletion.text}
      {isOwner && (
        <>
          {' '}
          <a className="link" href="/account/services">
            Check storage
          </a>
        </>
      )}
    </p>
  )
}
