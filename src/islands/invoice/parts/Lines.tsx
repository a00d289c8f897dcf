import type { MoneyLine } from '../../../../contract/purchase.ts'
import { invoiceLine } from '../../../domain/invoice-words.ts'
import { inMoney } from '../../../domain/money.ts'

/** The lines of a bill with their tax. Beyond one page the head row stands on each. */
export function Lines({ lines }: { lines: readonly MoneyLine[] }) {
  return (
    <table className="paper-lines">
      <caption className="sr-only">What this bill is for</caption>
      <thead>
        <tr>
          <th scope="col">What for</th>
          <th scope="col">Count</th>
          <th scope="col">Net</th>
          <th scope="col">Tax</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, n) => (
          <Line key={n} line={line} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ line }: { line: MoneyLine }) {
  const { title, words, count } = invoiceLine(line)
  return (
    <tr>
      <th scope="row">
        <b>{title}</b> <small>{words}</small>
      </th>
      <td data-name={count === '' ? undefined : 'Count'}>{count}</td>
      <td data-name="Net">{inMoney(line.amount)}</td>
      <td data-name="Tax">{inMoney(line.tax)}</td>
      <td className="line-amount">{inMoney(line.amount + line.tax)}</td>
    </tr>
  )
}
