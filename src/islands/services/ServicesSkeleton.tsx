import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx'

/** Stands for the first service. On a phone it has about the height of a plan with six cameras. */
export const ServiceCardSkeleton = () => (
  <div className="card service-card service-wait">
    <RowsSkeleton rows={1} label="Loading your services" />
  </div>
)

/** Has the size of `NextCharge`. */
export const NextChargeSkeleton = () => <div className="card next-charge next-charge-wait" aria-hidden="true" />

/** Has the size of the list of `count` covered cameras. */
export const CoveredSkeleton = ({ count }: { count: number }) => (
  <ul className="covered" aria-busy="true" aria-label="Loading covered cameras">
    {Array.from({ length: count }, (_, index) => (
      <li key={index}>
        <span className="covered-none" />
        <span className="row-text">
          <span className="skeleton h-4 w-2/5" />
        </span>
      </li>
    ))}
  </ul>
)
