import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { inCameras } from '../../../domain/copy/counts.ts'
import { tooManyText } from '../../../domain/copy/licenses.ts'
import { $bindCart, $bindResults, bindDevices } from '../../../stores/billing/license-cart.ts'
import type { ReadyCover } from '../../../stores/billing/license-manager.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { Bound } from './LicensedCameras.tsx'
import { Licenses } from './LicenseSummary.tsx'
import { NewCameras } from './AutoAssignSetting.tsx'
import { Picks } from './CameraPicker.tsx'
import { Results } from './LicenseResults.tsx'

/** Focus after an attempt: the first failed camera, else the results. */
const AFTER_TRYING = ['.cover-result[data-failed]', '#cover-results']
/** Focus after an unassignment: the camera, which can be selected again. */
const AFTER_LEAVING = (deviceId: string) => [`[data-device='${deviceId}'] input`, '#cover-results', 'h2']

/**
 * Cameras of a plan with one license per camera: results, selectable cameras and covered cameras. Licenses and price
 * are shown beside them.
 */
export function LicenseManager({ cover }: { cover: ReadyCover }) {
  const results = useStore($bindResults)
  const cart = useStore($bindCart)
  const { isBusy, failure, run } = useAct()
  const { plan, cameras, free } = cover
  const open = cameras.filter(({ device, isBound }) => !isBound && !results.has(device.device_id))
  const chosen = open.filter(({ device }) => cart.some(({ device_id }) => device_id === device.device_id))
  const list = useRef<HTMLDivElement>(null)
  const lead = useLead(list)
  async function bind(ids: readonly string[]) {
    if (await run(() => bindDevices(plan.subscription_id, ids, Date.now()))) lead(AFTER_TRYING)
  }
  return (
    <div className="cover-page">
      <div className="cover-main" ref={list}>
        <Results
          cover={cover}
          again={(id) => void bind([id])}
          isBusy={isBusy}
          left={(id) => lead(AFTER_LEAVING(id))}
          moved={() => lead(AFTER_TRYING)}
        />
        <Picks cover={cover} cameras={open} hasResults={results.size > 0} moved={() => lead(AFTER_TRYING)} />
        <Bound cover={cover} left={(id) => lead(AFTER_LEAVING(id))} />
      </div>
      <aside className="cover-side" aria-label="The plan">
        <Licenses cover={cover} />
        <NewCameras />
        <Problem failure={failure} />
        {open.length > 0 && (results.size === 0 || chosen.length > 0) && (
          <Button
            size="lg"
            isBusy={isBusy}
            busyText="Covering …"
            waitsFor={chosen.length === 0 ? 'Choose a camera' : free === 0 ? 'No licence is free' : ''}
            onMissing={() =>
              list.current?.querySelector<HTMLElement>('.cover-picks input, .cover-picks button')?.focus()
            }
            onClick={() => void bind(chosen.map(({ device }) => device.device_id))}
          >
            Cover {inCameras(chosen.length)}
          </Button>
        )}
        {tooManyText(chosen.length, free) && (
          <p className="text-small text-ink-2">{tooManyText(chosen.length, free)}</p>
        )}
        <a
          className={`btn btn-lg ${results.size > 0 && chosen.length === 0 ? 'btn-primary' : 'btn-outline'}`}
          href="/account/services"
        >
          Back to services
        </a>
      </aside>
    </div>
  )
}

/** Returns a function that moves the focus, after the next render, to the first of the given selectors that matches. */
function useLead(place: RefObject<HTMLElement | null>) {
  const [aim, lead] = useState<readonly string[]>([])
  useEffect(() => {
    const found = aim.map((target) => place.current?.querySelector<HTMLElement>(target)).find((target) => target)
    found?.focus()
  }, [aim, place])
  // Copies the array, so that the effect runs again for an equal target.
  return (to: readonly string[]) => lead([...to])
}
