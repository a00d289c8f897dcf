import { useStore } from '@nanostores/react'
import Info from 'lucide-react/icons/info'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { inClips, inFigures } from '../../../domain/copy/counts.ts'
import { dayMonth } from '../../../domain/time/date-formats.ts'
import {
  searchResultLabel,
  historyText,
  isChosenRow,
  lastDaysTitle,
  reachLabel,
} from '../../../domain/copy/plan-simulation.ts'
import type { CheckoutForm } from '../../../stores/billing/checkout.ts'
import { $truth, loadTruth, type Truth } from '../../../stores/billing/plan-simulation.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/InlineError.tsx'

/**
 * Plan simulation: the clips that each plan would have kept in the home's last days, and the searches that would have
 * found something.
 */
export function TruthPanel({ chosen }: { chosen: CheckoutForm | null }) {
  const truth = useStore($truth)
  return (
    <section className="card truth-panel" aria-labelledby="truth-title">
      <h2 id="truth-title">{lastDaysTitle(truth.state === 'ready' && truth.days > 0 ? truth.days : 30)}</h2>
      {truth.state === 'loading' && (
        <div className="quote-skeleton" role="img" aria-label="Looking at your last days">
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      )}
      {truth.state === 'failed' && (
        <>
          <Problem failure={truth.failure} />
          <Button kind="outline" size="sm" onClick={() => void loadTruth()}>
            Try again
          </Button>
        </>
      )}
      {truth.state === 'ready' && truth.cameras === 0 && (
        <p className="truth-sum">Once you have cameras, this says what each plan would have kept of their clips.</p>
      )}
      {truth.state === 'ready' && truth.cameras > 0 && <TruthTable truth={truth} chosen={chosen} />}
    </section>
  )
}

function TruthTable({ truth, chosen }: { truth: Truth; chosen: CheckoutForm | null }) {
  const { clips, searches, from, to, days, plans, cameras } = truth
  const little = historyText(days)
  const rows = plans.filter(({ sku }) => getPlan(sku).tier !== null)
  return (
    <>
      <p className="truth-sum">
        {inClips(clips)} and {inFigures(searches)} {searches === 1 ? 'search' : 'searches'}, {dayMonth(from)} to{' '}
        {dayMonth(to)}. What each plan would still have today. {little}
      </p>
      <table className="truth">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Clips kept</th>
            <th scope="col">Lost</th>
            <th scope="col">Searches found</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TruthRow
              key={`${row.sku}${row.is_own}`}
              {...{ row, truth }}
              isChosen={isFormed(chosen) && isChosenRow(row, chosen, cameras) && isFirst(rows, row, chosen, cameras)}
            />
          ))}
        </tbody>
      </table>
      <p className="hint-strip">
        <Info size={18} aria-hidden="true" />
        <span>
          {getPlan('pro').name} would also hold the{' '}
          {(getPlan('pro').keepsDays ?? 0) - (getPlan('unlimited').keepsDays ?? 0)} days before. Clips that are gone
          already do not come back with any plan.
        </span>
      </p>
    </>
  )
}

/** Returns true once a billing period is chosen. Before that, the form contains only the plan. */
const isFormed = (form: CheckoutForm | null): form is CheckoutForm => form !== null && form.period !== ''

type Row = Truth['plans'][number]

/**
 * Returns true if this is the first row that matches the choices. Rows can have the same content, but only one is
 * marked as chosen.
 */
const isFirst = (rows: readonly Row[], row: Row, chosen: CheckoutForm, all: number) =>
  rows.find((candidate) => isChosenRow(candidate, chosen, all)) === row

function TruthRow({ row, truth, isChosen }: { row: Row; truth: Truth; isChosen: boolean }) {
  const { clips, cameras, searches } = truth
  return (
    <tr data-chosen={isChosen || undefined}>
      <th scope="row">
        <span>
          {getPlan(row.sku).name}
          {row.is_own && <span className="badge badge-success">You have this</span>}
          {isChosen && <span className="badge badge-primary">Chosen</span>}
        </span>
        <small>{reachLabel(row, cameras)}</small>
      </th>
      <td className="truth-kept" data-label="kept">
        <span className="meter" aria-hidden="true">
          <i style={{ width: `${clips === 0 ? 0 : (row.kept / clips) * 100}%` }} />
        </span>
        <b>{inFigures(row.kept)}</b>
      </td>
      <td className="truth-lost" data-label="lost">
        {inFigures(row.lost)}
      </td>
      <td className="truth-found" data-label={row.found === null || searches === 0 ? '' : 'found'}>
        {searchResultLabel(row, searches)}
      </td>
    </tr>
  )
}
