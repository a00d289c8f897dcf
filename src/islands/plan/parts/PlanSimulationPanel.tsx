import { useStore } from '@nanostores/react'
import Info from 'lucide-react/icons/info'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { formatClipCount, formatNumber, formatCount } from '../../../domain/copy/counts.ts'
import { dayMonthLabel } from '../../../domain/time/date-formats.ts'
import {
  searchResultLabel,
  historyText,
  isChosenRow,
  lastDaysTitle,
  simulatedCoverageLabel,
} from '../../../domain/copy/plan-simulation.ts'
import { simulateSelection, type SimulatedSelection } from '../../../domain/billing/simulated-selection.ts'
import type { Checkout, CheckoutForm } from '../../../stores/billing/checkout.ts'
import { $licenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { $planSimulation, loadPlanSimulation, type PlanSimulation } from '../../../stores/billing/plan-simulation.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'

/**
 * Plan simulation for the home's recent history: the clips that each plan would still have, and the searches that would
 * still find a clip.
 */
export function PlanSimulationPanel({ checkout }: { checkout: Checkout }) {
  const simulation = useStore($planSimulation)
  return (
    <section className="card truth-panel" aria-labelledby="truth-title">
      <h2 id="truth-title">
        {lastDaysTitle(simulation.state === 'ready' && simulation.days > 0 ? simulation.days : 30)}
      </h2>
      {simulation.state === 'loading' && (
        <div className="quote-skeleton" role="img" aria-label="Loading your recent clips">
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      )}
      {simulation.state === 'failed' && (
        <>
          <InlineError failure={simulation.failure} />
          <Button kind="outline" size="sm" onClick={() => void loadPlanSimulation()}>
            Try again
          </Button>
        </>
      )}
      {simulation.state === 'ready' && simulation.cameras === 0 && (
        <p className="truth-sum">Add cameras to compare plans using your own clips.</p>
      )}
      {simulation.state === 'ready' && simulation.cameras > 0 && (
        <SimulationTable simulation={simulation} checkout={checkout} />
      )}
    </section>
  )
}

/** Returns the ids of the account's cameras that the plan covers already, and of those that were chosen. */
function useCoveredCameras({ form, own }: Checkout): readonly string[] {
  const bindings = useStore($licenseAssignments)
  const assigned = bindings.state === 'ready' && own !== null ? [...bindings.bindings] : []
  return [...assigned.flatMap(([id, { bound_to }]) => (bound_to === own?.subscription_id ? [id] : [])), ...form.cameras]
}

/** Inserts a row for the chosen number of Camera AI licenses, unless a row of the simulation matches the choices. */
function insertSelection(
  simulation: PlanSimulation,
  rows: readonly SimulatedRow[],
  { sku, period, quantity }: CheckoutForm,
  covered: readonly string[],
): readonly SimulatedRow[] {
  if (sku !== 'cam-ai' || period === '') return rows
  if (rows.some((row) => isChosenRow(row, { sku, quantity }, simulation.cameras))) return rows
  const selection = simulateSelection(simulation, quantity, covered)
  if (!selection) return rows
  const at = rows.findIndex((row) => row.sku === sku && row.cameras > selection.cameras)
  return rows.toSpliced(at === -1 ? rows.length : at, 0, selection)
}

function SimulationTable({ simulation, checkout }: { simulation: PlanSimulation; checkout: Checkout }) {
  const { clips, searches, from, to, days, plans, cameras } = simulation
  const historyNote = historyText(days)
  const chosen = checkout.form
  const covered = useCoveredCameras(checkout)
  const ranked = plans.filter(({ sku }) => getPlan(sku).tier !== null)
  const rows = insertSelection(simulation, ranked, chosen, covered)
  return (
    <>
      <p className="truth-sum">
        {dayMonthLabel(from)} to {dayMonthLabel(to)}: {formatClipCount(clips)} and{' '}
        {formatCount(searches, 'search', 'searches')}. See what each plan would have kept. {historyNote}
      </p>
      <table className="truth">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Clips kept</th>
            <th scope="col">Lost</th>
            <th scope="col">Searches with results</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SimulationRow
              key={`${row.sku} ${row.cameras}`}
              row={row}
              simulation={simulation}
              isChosen={chosen.period !== '' && row === findChosenRow(rows, chosen, cameras)}
            />
          ))}
        </tbody>
      </table>
      <p className="hint-strip">
        <Info size={18} aria-hidden="true" />
        <span>
          {getPlan('pro').name} also keeps clips from the{' '}
          {(getPlan('pro').keepsDays ?? 0) - (getPlan('unlimited').keepsDays ?? 0)} days before this period. Clips
          already deleted can’t be restored.
        </span>
      </p>
    </>
  )
}

type SimulatedRow = PlanSimulation['plans'][number] | SimulatedSelection

/** Returns the row to mark as chosen: the row of the selection, or the first row that matches the choices. */
const findChosenRow = (rows: readonly SimulatedRow[], chosen: CheckoutForm, cameraCount: number) =>
  rows.find((row) => 'isBusiest' in row) ?? rows.find((row) => isChosenRow(row, chosen, cameraCount))

function SimulationRow({
  row,
  simulation,
  isChosen,
}: {
  row: SimulatedRow
  simulation: PlanSimulation
  isChosen: boolean
}) {
  const { clips, cameras, searches } = simulation
  return (
    <tr data-chosen={isChosen || undefined}>
      <th scope="row">
        <span>
          {getPlan(row.sku).name}
          {/* One badge, because two would wrap and make the row higher. */}
          {row.is_own && (
            <span className={`badge badge-${isChosen ? 'primary' : 'success'}`}>
              Your plan{isChosen && <span className="sr-only">, selected</span>}
            </span>
          )}
          {isChosen && !row.is_own && <span className="badge badge-primary">Selected</span>}
        </span>
        <small>{simulatedCoverageLabel(row, cameras)}</small>
      </th>
      <td className="truth-kept" data-label="kept">
        <span className="meter" aria-hidden="true">
          <i style={{ width: `${clips === 0 ? 0 : (row.kept / clips) * 100}%` }} />
        </span>
        <b>{formatNumber(row.kept)}</b>
      </td>
      <td className="truth-lost" data-label="lost">
        {formatNumber(row.lost)}
      </td>
      <td className="truth-found" data-label={row.found === null || searches === 0 ? '' : 'found'}>
        {searchResultLabel(row, searches)}
      </td>
    </tr>
  )
}
