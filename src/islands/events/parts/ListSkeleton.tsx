export function ListSkeleton() {
  return (
    <div aria-hidden>
      <div className="flex h-11 items-center px-2">
        <span className="skeleton h-4 w-40" />
      </div>
      {Array.from({ length: 7 }, (_, i) => (
        <div key={i} className="flex h-[88px] gap-3 p-2">
          <span className="skeleton h-[72px] w-32 flex-none rounded-[10px]!" />
          <span className="flex flex-1 flex-col gap-2 pt-2">
            <span className="skeleton h-4 w-3/5" />
            <span className="skeleton h-3 w-4/5" />
            <span className="skeleton h-3 w-2/5" />
          </span>
        </div>
      ))}
    </div>
  )
}
