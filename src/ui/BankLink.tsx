/** To the page on which a bank asks its customer (3-D Secure); the page that shows it stays, and sees the answer by itself. */
export function BankLink({ url }: { url: string }) {
  return (
    <a className="btn btn-outline btn-sm" href={url} target="_blank" rel="noopener noreferrer">
      Confirm at your bank
    </a>
  )
}
