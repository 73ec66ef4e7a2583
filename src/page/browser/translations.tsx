import type { Answers } from "../queries.ts";
import { localeName } from "../spoken.ts";
import { useAnswer } from "./answers.ts";
import type { Chosen } from "./list-tools.tsx";
import { Facts } from "./parts.tsx";
import { viewHref } from "./router.ts";
import { counted, number } from "./words.ts";

/** H73: how many entries are missing and older in each language; what Git knows comes later. */
export function useTranslations(isAsked: boolean): Answers["languages"] | undefined {
  const quick = useAnswer(isAsked ? "languages" : undefined).answer;
  const whole = useAnswer(quick ? "languages" : undefined, { older: "yes" }).answer;
  return whole ?? quick;
}

/** "English", of which the others are translations. */
const mainName = ({ mainLocale }: Answers["languages"]) => localeName(mainLocale ?? "");

/** H73: the filters of entries by language, each with what it chooses (`missing` or `older`), and how many there are. */
export function languageFilters(
  locales: readonly string[],
  translations: Answers["languages"] | undefined,
): readonly (readonly [key: string, name: string, chosen: Chosen])[] {
  const filter = (what: "missing" | "older", locale: string, name: string) => {
    const counts = translations?.languages.find((one) => one.locale === locale);
    const count = what === "missing" ? counts?.untranslated : counts?.older;
    const counted = typeof count === "number" ? ` (${number(count)})` : "";
    const chosen = { missing: "", older: "", [what]: locale };
    return [`${what} ${locale}`, name + counted, chosen] as const;
  };
  const main = translations?.mainLocale;
  const others = translations?.state === "known" ? locales.filter((one) => one !== main) : [];
  return [
    ["", "All languages", { missing: "", older: "" }],
    ...locales.map((one) => filter("missing", one, `Missing in ${localeName(one)}`)),
    ...others.map((one) =>
      filter("older", one, `${localeName(one)} older than ${localeName(main ?? "")}`),
    ),
  ];
}

/** H72: why it is not said what is older; nothing where no repository could tell it. */
export function NotWorkedOut({ translations }: { translations: Answers["languages"] | undefined }) {
  if (translations?.state !== "too-long") return null;
  return (
    <p class="soft">
      {`Which translations are older than ${mainName(translations)} is not known: Git's history of the folder is too long.`}
    </p>
  );
}

const hrefOf = (chosen: Chosen) => viewHref(["entries"], { ...chosen, translations: "yes" });

/** H73: what is left to translate, each number a way to these entries. */
export function TranslationFacts() {
  const translations = useTranslations(true);
  if (translations === undefined) return <p class="soft">Counting…</p>;
  const { languages, mainLocale } = translations;
  const facts = languages.flatMap(({ locale: of, untranslated, older }) => {
    const locale = of ?? "";
    const name = localeName(locale);
    const old = counted(older ?? 0, "entry", "entries");
    const isOld = locale !== mainLocale && (older ?? 0) > 0;
    const missing = `${counted(untranslated, "entry", "entries")} missing in ${name}`;
    const isOlder = `${name} of ${old} is older than ${mainName(translations)}`;
    return [
      ...(untranslated > 0 ? [{ text: missing, href: hrefOf({ missing: locale }) }] : []),
      ...(isOld ? [{ text: isOlder, href: hrefOf({ older: locale }) }] : []),
    ];
  });
  return (
    <>
      {facts.length === 0 && <p class="says is-good">Nothing is missing</p>}
      <Facts facts={facts} />
      <NotWorkedOut translations={translations} />
    </>
  );
}
