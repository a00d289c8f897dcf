import { lazy, type ReactNode, Suspense } from 'react'
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'
import '../../styles/forms.css'
import './overview.css'

/** Asked for at once, while React is on its way. */
const panels = import('./parts/panels.ts')
const LeaveWords = lazy(() => panels.then(({ LeaveWords }) => ({ default: LeaveWords })))
const PlanPanel = lazy(() => panels.then(({ PlanPanel }) => ({ default: PlanPanel })))
const NextCharge = lazy(() => panels.then(({ NextCharge }) => ({ default: NextCharge })))

/** What stands further down comes after it. */
const below = () => panels.then(() => import('./parts/below.ts'))
const MessagesPanel = lazy(() => below().then(({ MessagesPanel }) => ({ default: MessagesPanel })))
const ActivityPanel = lazy(() => below().then(({ ActivityPanel }) => ({ default: ActivityPanel })))
const SessionsPanel = lazy(() => below().then(({ SessionsPanel }) => ({ default: SessionsPanel })))
const TakePanel = lazy(() => below().then(({ TakePanel }) => ({ default: TakePanel })))

interface Props {
  /** What leads to pages of the provider stands in the document. */
  factor?: ReactNode
  leave?: ReactNode
  undo?: ReactNode
}

/** `/account`: the plan, what is charged next, what is new, who is signed in, and what is one's own to take. */
export default function Overview({ factor, leave, undo }: Props) {
  return (
    <div className="overview">
      <div className="hint-strip leave-strip" data-tone="warning" role="status">
        <Suspense fallback={null}>
          <LeaveWords />
        </Suspense>
        {undo}
      </div>
      <div className="overview-main">
        <div className="overview-plan">
          <Suspense fallback={<Waiting title="Your plan" rows={2} />}>
            <PlanPanel />
          </Suspense>
        </div>
        <Suspense fallback={<Waiting title="Messages" rows={3} />}>
          <MessagesPanel />
        </Suspense>
        <Suspense fallback={<Waiting title="Activity" rows={3} />}>
          <ActivityPanel />
        </Suspense>
      </div>
      <div className="overview-side">
        <Suspense fallback={null}>
          <NextCharge />
        </Suspense>
        <Suspense fallback={<Waiting title="Signed in on" rows={1} />}>
          <SessionsPanel />
        </Suspense>
        {factor}
        <div className="card overview-panel overview-own">
          <Suspense fallback={<TakeWaiting />}>
            <TakePanel />
          </Suspense>
          {leave}
        </div>
      </div>
    </div>
  )
}

function Waiting({ title, rows }: { title: string; rows: number }) {
  return (
    <section className="card overview-panel" aria-label={title} aria-busy="true">
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
