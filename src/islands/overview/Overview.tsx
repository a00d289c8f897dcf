import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'
import { $formatLocale } from '../../stores/account/regional-formats.ts'
import { $hasTwoStepVerification } from '../../stores/account/two-step-verification.ts'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { createLazyComponent } from '../../ui/lazy-component.tsx'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import '../../styles/switch.css'
import '../../styles/charge-panels.css'
import './overview.css'

/** Starts loading the panels while React itself is still loading. */
const pageChunk = loadWithRetry(() => import('./parts/page-chunk.ts'))
const DeletionNotice = createLazyComponent(async () => (await pageChunk).LeaveWords)
const PlanPanel = createLazyComponent(async () => (await pageChunk).PlanPanel)
const NextCharge = createLazyComponent(async () => (await pageChunk).NextCharge)

/** Panels below the fold load after those above it. */
const belowFoldChunk = pageChunk.then(() => loadWithRetry(() => import('./parts/below-fold-chunk.ts')))
const AnalyticsPanel = createLazyComponent(async () => (await belowFoldChunk).AnalyticsPanel)
const NotificationsPanel = createLazyComponent(async () => (await belowFoldChunk).NotificationsPanel)
const ActivityPanel = createLazyComponent(async () => (await belowFoldChunk).ActivityPanel)
const SessionsPanel = createLazyComponent(async () => (await belowFoldChunk).SessionsPanel)
const RegionalFormatsPanel = createLazyComponent(async () => (await belowFoldChunk).RegionalFormatsPanel)
const DataExportPanel = createLazyComponent(async () => (await belowFoldChunk).DataExportPanel)

const subscribeToNothing = () => () => undefined

interface LazyPanelProps {
  placeholder: ReactNode
  children: ReactNode
}

/**
 * Panel that loads separately from the island. The document contains only the placeholder: React would insert
 * prerendered content with inline scripts, which may run after the island's script.
 */
function LazyPanel({ placeholder, children }: LazyPanelProps) {
  const isInBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
  return isInBrowser ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder
}

interface OverviewProps {
  /** Slots for links to the provider's pages. The prerendered document already contains the links. */
  factor?: ReactNode
  leave?: ReactNode
  undo?: ReactNode
}

/** `/account`: plan, next charge, notifications, sessions and data export. */
export default function Overview({ factor, leave, undo }: OverviewProps) {
  // Becomes true on the first click. It keeps all panels visible, even while one of them reloads.
  const [isUsed, setUsed] = useState(false)
  // A change of the formats renders the dates of all panels again.
  useStore($formatLocale)
  return (
    <div className="overview" data-used={isUsed || undefined} onClickCapture={() => setUsed(true)}>
      <div className="hint-strip leave-strip" data-tone="warning" role="status">
        <LazyPanel placeholder={null}>
          <DeletionNotice />
        </LazyPanel>
        {undo}
      </div>
      <div className="overview-main">
        <div className="overview-plan">
          <LazyPanel placeholder={<PanelSkeleton title="Your plan" rows={2} />}>
            <PlanPanel />
          </LazyPanel>
        </div>
        <LazyPanel placeholder={<PanelSkeleton title="Notifications" rows={3} />}>
          <NotificationsPanel />
        </LazyPanel>
        <LazyPanel placeholder={<PanelSkeleton title="Activity" rows={3} />}>
          <ActivityPanel />
        </LazyPanel>
        <LazyPanel placeholder={<PanelSkeleton title="Usage data" rows={1} />}>
          <AnalyticsPanel />
        </LazyPanel>
        <LazyPanel placeholder={<PanelSkeleton title="Dates and times" rows={1} />}>
          <RegionalFormatsPanel />
        </LazyPanel>
      </div>
      <div className="overview-side">
        <LazyPanel placeholder={<PanelSkeleton title="Next charge" rows={2} className="next-charge" />}>
          <NextCharge />
        </LazyPanel>
        <LazyPanel placeholder={<PanelSkeleton title="Your devices" rows={1} />}>
          <SessionsPanel />
        </LazyPanel>
        <TwoStepPanel>{factor}</TwoStepPanel>
        <div className="card overview-panel overview-own">
          <LazyPanel placeholder={<DataExportSkeleton />}>
            <DataExportPanel />
          </LazyPanel>
          {leave}
        </div>
      </div>
    </div>
  )
}

/** Shows the state of two-step verification in the prerendered slot, which contains the words for both states. */
function TwoStepPanel({ children }: { children: ReactNode }) {
  const isOn = useStore($hasTwoStepVerification, { ssr: 'initial' })
  return <div data-two-step={isOn === null ? undefined : isOn ? 'on' : 'off'}>{children}</div>
}

function PanelSkeleton({ title, rows, className = '' }: { title: string; rows: number; className?: string }) {
  return (
    <section className={`card overview-panel ${className}`} aria-label={title} aria-busy="true">
      <RowsSkeleton rows={rows} label={`Loading: ${title}`} />
    </section>
  )
}

function DataExportSkeleton() {
  return (
    <section aria-label="Your data" aria-busy="true">
      <h3>Your data</h3>
    </section>
  )
}
