import { formatBytes } from '../../../domain/copy/counts.ts'
import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign'
import Cctv from 'lucide-react/icons/cctv'
import Download from 'lucide-react/icons/download'
import FolderDown from 'lucide-react/icons/folder-down'
import Layers from 'lucide-react/icons/layers'
import Pause from 'lucide-react/icons/pause'
import { useStore } from '@nanostores/react'
import { useEffect, type ReactNode } from 'react'
import type { CancellationPreview, CancellationOption } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  refundText,
  fewerCamerasText,
  formatPlanOffer,
  exportText,
  endDateText,
  getOfferPath,
} from '../../../domain/copy/cancellation.ts'
import { $exportSize, loadExportSize } from '../../../stores/account/data-export.ts'
import { closeCancellation, setCancelStep } from '../../../stores/billing/cancellation-step.ts'
import { Button } from '../../../ui/Button.tsx'
import { ClipBars } from './ClipBars.tsx'
import { StepBody } from './StepBody.tsx'

interface ConsequencesStepProps {
  subscription: Subscription
  leaving: CancellationPreview
  /** Current time by the plan's test clock, ms UTC. */
  now: number
  onPause: () => void
}

/** Step with the effects on clips and money, the data export, and the alternatives to canceling. */
export function ConsequencesStep({ subscription, leaving, now, onPause }: ConsequencesStepProps) {
  const { sku } = subscription
  const [firstOption] = leaving.ways
  if (!firstOption) return null
  const hasCameras = getPlan(sku).keepsDays !== null
  return (
    <StepBody
      title={`If you cancel ${getPlan(sku).name}`}
      note={endDateText(firstOption, now)}
      foot={
        <>
          <Button kind="outline" size="lg" onClick={closeCancellation}>
            Keep my plan
          </Button>
          <Button kind="outline" size="lg" onClick={() => setCancelStep(3)}>
            Continue to cancel
          </Button>
        </>
      }
    >
      {hasCameras && <ClipBars clips={leaving.clips} endsAt={firstOption.ends_at} now={now} />}
      <RefundNote way={firstOption} now={now} />
      {hasCameras && <DataExportLink clips={leaving.clips} />}
      <CancellationOffers subscription={subscription} leaving={leaving} onPause={onPause} />
    </StepBody>
  )
}

/** Exact refund, and the card or balance that receives it. */
export function RefundNote({ way, now }: { way: CancellationOption; now: number }) {
  const { title, note } = refundText(way, now)
  return (
    <div className="leave-back">
      <span>
        <CircleDollarSign size={20} aria-hidden="true" />
      </span>
      <p>
        <b>{title}</b>
        <small>{note}</small>
      </p>
    </div>
  )
}

/** Returns the size of all stored clips; '' until it is known. If the preview has none, loads that of the export. */
function useClipSize(knownBytes: number): string {
  const size = useStore($exportSize)
  const isUnknown = knownBytes === 0
  useEffect(() => {
    if (isUnknown && $exportSize.get().state !== 'ready') void loadExportSize()
  }, [isUnknown])
  if (!isUnknown) return formatBytes(knownBytes)
  if (size.state !== 'ready' || size.bytes === 0) return ''
  return `${size.about ? 'about ' : ''}${formatBytes(size.bytes)}`
}

function DataExportLink({ clips }: { clips: CancellationPreview['clips'] }) {
  const size = useClipSize(clips.bytes)
  return (
    <a className="leave-take" href="/account?take=1">
      <FolderDown size={20} aria-hidden="true" />
      <span>
        <b>Download your data first</b>
        <span className="leave-wide"> · {exportText(clips, size)}</span>
      </span>
      <Download size={18} aria-hidden="true" />
      <b>
        <span className="leave-wide">Download</span>
        <span className="leave-narrow">{size}</span>
      </b>
    </a>
  )
}

/**
 * Alternatives to canceling. A link to another page also closes the dialog, so that the browser's Back button does not
 * reopen it.
 */
function CancellationOffers({ subscription, leaving, onPause }: Omit<ConsequencesStepProps, 'now'>) {
  const { pause_months, fewer, other } = leaving.offers
  if (pause_months === 0 && fewer === null && other === null) return null
  return (
    <section aria-labelledby="offers-title">
      <div className="leave-between">
        <h3 id="offers-title">Other options</h3>
        <small>before tax</small>
      </div>
      <ul className="leave-offers">
        {pause_months > 0 && (
          <li>
            <button type="button" className="leave-offer" onClick={onPause}>
              <OfferText icon={<Pause size={18} aria-hidden="true" />} title="Pause">
                {pause_months === 1 ? '1 month' : `1 to ${pause_months} months`} at no charge. We’ll extend your current
                billing {subscription.period === 'annual' ? 'year' : 'month'} to match.
              </OfferText>
            </button>
          </li>
        )}
        {fewer && (
          <li>
            <a className="leave-offer" href={getOfferPath(fewer)} onClick={closeCancellation}>
              <OfferText icon={<Cctv size={18} aria-hidden="true" />} title="Fewer cameras">
                {fewerCamerasText(fewer)}
              </OfferText>
            </a>
          </li>
        )}
        {other && (
          <li>
            <a className="leave-offer" href={getOfferPath(other)} onClick={closeCancellation}>
              <OfferText icon={<Layers size={18} aria-hidden="true" />} title="Switch plans">
                {formatPlanOffer(other, subscription.sku)}
              </OfferText>
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

function OfferText({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      <b>
        {icon}
        {title}
      </b>
      <small>{children}</small>
    </>
  )
}
