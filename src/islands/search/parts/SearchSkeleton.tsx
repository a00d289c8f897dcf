/** Placeholder with the same dimensions as the results. */
export function SearchSkeleton() {
  return (
    <>
      <p className="sr-only" role="status">
        Searching
      </p>
      <div aria-hidden>
        <div className="search-report">
          <div className="search-coverage">
            <span className="search-ring skeleton" />
            <div>
              <h2>
                <span className="skeleton">&nbsp;</span>
              </h2>
              <p>
                <span className="skeleton">&nbsp;</span>
              </p>
              <p>
                <span className="skeleton">&nbsp;</span>
              </p>
            </div>
          </div>
          <div className="search-order">
            <span className="skeleton search-sort-wait" />
          </div>
        </div>
        <div className="search-results search-compact">
          {Array.from({ length: 8 }, (_, i) => (
            <div key={i} className="search-result">
              <div className="search-picture skeleton" />
              <div className="search-said">
                <div className="search-where">
                  <span className="skeleton">&nbsp;</span>
                </div>
                <p className="search-when">
                  <span className="skeleton">&nbsp;</span>
                </p>
                <p>
                  <span className="skeleton">&nbsp;</span>
                </p>
              </div>
            </div>
          ))}
        </div>
      </div>
    </>
  )
}
