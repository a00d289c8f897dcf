import { lazy, type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import '../../styles/switch.css'
import './overview.css'

/** Starts loading the panels while React itself is still loading. */
const panels = loadWithRetry(() => import('./parts/page-chunk.ts'))
const LeaveWords = lazy(() => panels.then(({ LeaveWords }) => ({ default: LeaveWords })))
const PlanPanel = lazy(() => panels.then(({ PlanPanel }) => ({ default: PlanPanel })))
const NextCharge = lazy(() => panels.then(({ NextCharge }) => ({ default: NextCharge })))

/** Panels below the fold load after those above it. */
const below = panels.then(() => loadWithRetry(() => import('./parts/below-fold-chunk.ts')))
const MeasuredPanel = lazy(() => below.then(({ MeasuredPanel }) => ({ default: MeasuredPanel })))
const MessagesPanel = lazy(() => below.then(({ MessagesPanel }) => ({ default: MessagesPanel })))
const ActivityPanel = lazy(() => below.then(({ ActivityPanel }) => ({ default: ActivityPanel })))
const SessionsPanel = lazy(() => below.then(({ SessionsPanel }) => ({ default: SessionsPanel })))
const TakePanel = lazy(() => below.then(({ TakePanel }) => ({ default: TakePanel })))

const never = () => () => undefined

interface PartProps {
  waiting: ReactNode
  children: ReactNode
}

/**
 * Renders a panel that loads separately from the island. The document contains only its placeholder: React fills
 * prerendered content by inline scripts, and a browser may run them after the island's script.
 */
function Part({ waiting, children }: PartProps) {
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isHere ? <Suspense fallback={waiting}>{children}</Suspense> : waiting
}

interface Props {
  /** Links to the provider's pages. The document already contains them. */
  factor?: ReactNode
  leave?: ReactNode
  undo?: ReactNode
}

/** `/account`: plan, next charge, notifications, sessions and data export. */
export default function Overview({ factor, leave, undo }: Props) {
  // Set by the first click. From then on all panels stay visible, even while another panel reloads.
  const [isUsed, use] = useState(false)
  return (
    <div className="overview" data-used={isUsed || undefined} onClickCapture={() => use(true)}>
      <div className="hint-strip leave-strip" data-tone="warning" role="status">
        <Part waiting={null}>
          <LeaveWords />
        </Part>
        {undo}
      </div>
      <div className="overview-main">
        <div className="overview-plan">
          <Part waiting={<Waiting title="Your plan" rows={2} />}>
            <PlanPanel />
          </Part>
        </div>
        <Part waiting={<Waiting title="Messages" rows={3} />}>
          <MessagesPanel />
        </Part>
        <Part waiting={<Waiting title="Activity" rows={3} />}>
          <ActivityPanel />
        </Part>
      </div>
      <div className="overview-side">
        <Part waiting={<Waiting title="Next charge" rows={2} className="next-charge" />}>
          <NextCharge />
        </Part>
        <Part waiting={<Waiting title="Signed in on" rows={1} />}>
          <SessionsPanel />
        </Part>
        {factor}
        <Part waiting={<Waiting title="What is measured" rows={1} />}>
          <MeasuredPanel />
        </Part>
        <div className="card overview-panel overview-own">
          <Part waiting={<TakeWaiting />}>
            <TakePanel />
          </Part>
          {leave}
        </div>
      </div>
    </div>
  )
}

function Waiting({ title, rows, className = '' }: { title: string; rows: number; className?: string }) {
  return (
    <section className={`card overview-panel ${className}`} aria-label={title} aria-busy="true">
      <RowsSkeleton rows={rows} label={`Loading: ${title}`} />
    </section>
  )
}

function TakeWaiting() {
  return (
    <section aria-label="Yours to take" aria-busy="true">
      <h3>Yours to take</h3>
    </section>
  )
}
