/** Scrolls the current account tab into view if the tabs do not fit. */
addEventListener('porchlight:session', () => {
  const open = document.querySelector<HTMLElement>('.tabs [aria-current]')
  const tabs = open?.parentElement
  // `scrollIntoView` would scroll the page too.
  if (open && tabs) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
})
