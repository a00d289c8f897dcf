import Sparkles from 'lucide-react/icons/sparkles'
import { useEffect, useRef, type ReactNode } from 'react'
import { PLANS } from '../../../../contract/billing/plan-catalog.ts'
import { enrollInSearch } from '../../../stores/account/search-enrollment.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Introduction for an account that has not turned on search. */
export function SearchIntro() {
  const { isBusy, run } = useAction()
  const turnOn = () => run(enrollInSearch)
  return (
    <Introduction title="Search your clips in your own words">
      <p>
        Describe what happened, like “person with a box at the front door”. Every result shows why it matched and starts
        at the matching moment.
      </p>
      <p className="search-fine">Your clips stay where they are. You can delete your search history at any time.</p>
      <div className="search-actions">
        <button type="button" className="btn btn-primary btn-lg" aria-disabled={isBusy} onClick={() => void turnOn()}>
          {isBusy && <span className="spinner" aria-hidden />}
          {isBusy ? 'Turning on…' : 'Turn on search'}
        </button>
      </div>
    </Introduction>
  )
}

const PLANS_WITH_SEARCH = PLANS.filter(({ search }) => search).map(({ name }) => name)

/** Introduction for an account whose plan does not include the search. */
export function SearchPlans() {
  return (
    <Introduction title="Search your clips in your own words">
      <p>Search finds clips that match your description. Your plan doesn’t include search. These plans do:</p>
      <ul className="search-plans">
        {PLANS_WITH_SEARCH.map((name) => (
          <li key={name} className="badge badge-primary">
            {name}
          </li>
        ))}
      </ul>
      <div className="search-actions">
        <a className="btn btn-primary btn-lg" href="/account/products/choose">
          Explore plans
        </a>
      </div>
    </Introduction>
  )
}

function Introduction({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="search-middle">
      <span className="glow">
        <Sparkles size={48} aria-hidden />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </div>
  )
}
