import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { toSpan } from '../../../domain/time/date-range.ts'
import { resolveRange } from '../../../domain/events/event-url.ts'
import { type KeptWords, retentionText } from '../../../domain/copy/retention.ts'
import { $address } from '../../../stores/events/event-url.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { useNow } from '../../../ui/use-now.ts'

/**
 * Returns the notice that some of the chosen days are outside the retention period (OPEN-67); null if the plan keeps
 * all of them or the retention period is not known yet.
 */
export function useKept(): KeptWords | null {
  const { filter } = useStore($address)
  const retention = useStore($retention)
  const now = useNow()
  useEffect(() => void loadRetention(), [])
  return retention && retentionText(retention, toSpan(resolveRange(filter, now)), filter.cameras)
}

/**
 * Notice below a list that does not reach back to the first chosen day, because the plan no longer keeps events of that
 * day.
 */
export function KeptLine() {
  const retention = useKept()
  return retention && <KeptText kept={retention} className="text-small px-4 py-5 text-center" />
}

export function KeptText({ kept: retention, className }: { kept: KeptWords; className: string }) {
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
