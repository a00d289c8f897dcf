import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { tooFewLicensesText } from '../../../domain/copy/licenses.ts'
import { $bindCart, $assignmentResults, assignLicenses } from '../../../stores/billing/license-cart.ts'
import type { ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { LicensedCameras } from './LicensedCameras.tsx'
import { LicenseSummary } from './LicenseSummary.tsx'
import { AutoAssignSetting } from './AutoAssignSetting.tsx'
import { CameraPicker } from './CameraPicker.tsx'
import { LicenseResults } from './LicenseResults.tsx'

const FOCUS_AFTER_ATTEMPT = ['.cover-result[data-failed]', '#cover-results']
const getFocusAfterUnassign = (deviceId: string) => [`[data-device='${deviceId}'] input`, '#cover-results', 'h2']

/**
 * Content of the page for a plan with one license per camera. Shows the assignment results, the selectable cameras and
 * the licensed cameras, with licenses and price beside them.
 */
export function LicenseManager({ cover }: { cover: ReadyLicenseManager }) {
  const results = useStore($assignmentResults)
  const cart = useStore($bindCart)
  const { isBusy, failure, run } = useAction()
  const { plan, cameras, free } = cover
  const unassigned = cameras.filter(({ device, isBound }) => !isBound && !results.has(device.device_id))
  const selected = unassigned.filter(({ device }) => cart.some(({ device_id }) => device_id === device.device_id))
  const list = useRef<HTMLDivElement>(null)
  const moveFocus = useFocusMover(list)
  async function assignSelected(ids: readonly string[]) {
    if (await run(() => assignLicenses(plan.subscription_id, ids, Date.now()))) moveFocus(FOCUS_AFTER_ATTEMPT)
  }
  return (
    <div className="cover-page">
      <div className="cover-main" ref={list}>
        <LicenseResults
          cover={cover}
          onRetry={(id) => void assignSelected([id])}
          isBusy={isBusy}
          left={(id) => moveFocus(getFocusAfterUnassign(id))}
          onTransferred={() => moveFocus(FOCUS_AFTER_ATTEMPT)}
        />
        <CameraPicker
          cover={cover}
          cameras={unassigned}
          hasResults={results.size > 0}
          onTransferred={() => moveFocus(FOCUS_AFTER_ATTEMPT)}
        />
        <LicensedCameras cover={cover} left={(id) => moveFocus(getFocusAfterUnassign(id))} />
      </div>
      <aside className="cover-side" aria-label="Plan">
        <LicenseSummary cover={cover} />
        <AutoAssignSetting />
        <InlineError failure={failure} />
        {unassigned.length > 0 && (results.size === 0 || selected.length > 0) && (
          <Button
            size="lg"
            isBusy={isBusy}
            busyText="Assigning…"
            missingText={selected.length === 0 ? 'Choose a camera' : free === 0 ? 'No unused licenses' : ''}
            onMissing={() =>
              list.current?.querySelector<HTMLElement>('.cover-picks input, .cover-picks button')?.focus()
            }
            onClick={() => void assignSelected(selected.map(({ device }) => device.device_id))}
          >
            Cover {formatCameraCount(selected.length)}
          </Button>
        )}
        {tooFewLicensesText(selected.length, free) && (
          <p className="text-small text-ink-2">{tooFewLicensesText(selected.length, free)}</p>
        )}
        <a
          className={`btn btn-lg ${results.size > 0 && selected.length === 0 ? 'btn-primary' : 'btn-outline'}`}
          href="/account/services"
        >
          Back to services
        </a>
      </aside>
    </div>
  )
}

/** Returns a function that moves the focus, after the next render, to the first of the given selectors that matches. */
function useFocusMover(container: RefObject<HTMLElement | null>) {
  const [selectors, setSelectors] = useState<readonly string[]>([])
  useEffect(() => {
    const found = selectors
      .map((target) => container.current?.querySelector<HTMLElement>(target))
      .find((target) => target)
    found?.focus()
  }, [selectors, container])
  // Copies the array, so that the effect also runs for the same selectors as before.
  return (to: readonly string[]) => setSelectors([...to])
}
