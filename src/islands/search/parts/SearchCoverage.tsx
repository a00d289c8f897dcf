import type { SearchCoverageCounts as Searched } from '../../../../contract/search/search-calls.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { formatPercent } from '../../../domain/copy/counts.ts'
import { coverageNote, coverageTitle, searchedPercent } from '../../../domain/copy/search-results.ts'
import { useNow } from '../../../ui/use-now.ts'

interface SearchCoverageProps {
  readonly coverage: Searched
  readonly span: Span
  /** Heading above the coverage: the number of results. */
  readonly title?: string
}

/** Search coverage: the share of clips that were searched, the gaps, and how far back the search reaches. */
export function SearchCoverage({ coverage, span, title }: SearchCoverageProps) {
  const percent = searchedPercent(coverage)
  const now = useNow()
  return (
    <div className="search-coverage">
      <span className="search-ring" aria-hidden>
        <svg viewBox="0 0 38 38" width={38} height={38} fill="none" strokeWidth={4}>
          <circle cx={19} cy={19} r={17} />
          <circle cx={19} cy={19} r={17} pathLength={100} strokeDasharray={`${percent} 100`} />
        </svg>
        {formatPercent(percent)}
      </span>
      <div>
        {title !== undefined && <h2 tabIndex={-1}>{title}</h2>}
        <p>{coverageTitle(coverage, span, now)}</p>
        <p>{coverageNote(coverage, span, now)}</p>
      </div>
    </div>
  )
}
