// Filters the table of all natives by what the form above it says.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("catalog-filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("#catalog-index tbody tr")];
  const fields = [...form.querySelectorAll("[data-column]")];
  const shows = (row, field) =>
    field.dataset.column === "text"
      ? row.textContent.toLowerCase().includes(field.value.trim().toLowerCase())
      : !field.value || row.dataset[field.dataset.column] === field.value;
  const filter = () => {
    for (const row of rows) row.hidden = !fields.every((field) => shows(row, field));
    const shown = rows.filter((row) => !row.hidden).length;
    form.querySelector("output").textContent = `${shown} of ${rows.length} natives`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
});
