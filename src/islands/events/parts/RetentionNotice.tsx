import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { toSpan } from '../../../domain/time/date-range.ts'
import { resolveRange } from '../../../domain/events/event-url.ts'
import { type RetentionNoticeText, retentionText } from '../../../domain/copy/retention.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
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

/**
 * Notice below the list that some of the chosen days are outside the retention period; renders nothing if
 * `useRetentionNotice` returns null.
 */
export function RetentionNotice() {
  const retention = useRetentionNotice()
  return retention && <RetentionText kept={retention} className="text-small px-4 py-5 text-center" />
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
