package payload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

func (m maker) product() string {
	return upper(pick(m, materials...)) + " " + pick(m, products...) + pick(m, "", "", " "+pick(m, "small", "large", "pro", "mini"))
}

func (m maker) addressOf(country string) obj {
	return obj{"street", upper(pick(m, nouns...)) + " street " + strconv.Itoa(m.between(1, 140)), "city", pick(m, places...), "postal_code", fmt.Sprintf("%05d", m.IntN(99_999)), "country", country}
}

func orders(m maker) any {
	return obj{"object", "list", "has_more", true, "url", "/v1/orders", "data", rows(24, func(i int) any {
		name := m.person()
		country := often(m, "SE", "DE", "PT", "JP")
		sum := 0
		items := rows(m.between(1, 4), func(int) any {
			price, quantity := m.between(300, 20_000), m.between(1, 4)
			sum += price * quantity
			return obj{"id", "li_" + m.mixed(14), "object", "item", "sku", "SKU-" + strings.ToUpper(m.lower(6)), "description", m.product(), "quantity", quantity, "unit_amount", price, "amount", price * quantity, "currency", "eur", "tax_rate", pick(m, 19, 25)}
		})
		at := m.moment(20)
		status := often(m, "paid", "shipped", "open", "refunded")
		o := obj{"id", "or_" + m.mixed(14), "object", "order", "created", int(at.Unix()), "currency", "eur", "livemode", true, "customer", obj{"id", "cus_" + m.mixed(14), "name", name, "email", login(name) + "@mail.example.com", "phone", nil}, "items", items,
			"shipping", m.addressOf(country), "billing", nil, "status", status, "amount_total", sum, "amount_tax", sum / 5, "discount", nil, "metadata", obj{"channel", often(m, "web", "app", "shop")}}
		if status == "shipped" {
			o = append(o, "tracking", obj{"carrier", pick(m, "PostNord", "DHL"), "number", strings.ToUpper(m.lower(12)), "url", "https://track.example.com/" + m.lower(12)})
		}
		return o
	})}
}

func productSearch(m maker) any {
	return obj{"took", 12, "timed_out", false, "_shards", obj{"total", 5, "successful", 5, "skipped", 0, "failed", 0}, "hits", obj{"total", obj{"value", 812, "relation", "eq"}, "max_score", decimal("9.1174"), "hits", rows(30, func(i int) any {
		name := m.product()
		id := strconv.Itoa(m.between(10_000, 99_999))
		return obj{"_index", "products-v12", "_id", id, "_score", digits(9.1-float64(i)*0.2-m.Float64()*0.1, 4), "_source", obj{"name", name, "slug", strings.ReplaceAll(strings.ToLower(name), " ", "-"), "brand", pick(m, lastNames...), "category", list{"Home", pick(m, "Kitchen", "Office", "Outdoor")}, "price", m.real(5, 300, 2), "stock", m.long(400), "rating", m.real(2, 5, 1), "reviews", m.long(3000), "description", m.text(2),
			"image", "https://cdn.example.com/products/" + id + "/main.jpg", "attributes", obj{"material", pick(m, materials...), "colour", pick(m, "black", "white", "green"), "weight_g", m.long(9000)}, "updated_at", stamp(m.moment(90))}}
	})}}
}

func queryRows(m maker) any {
	return obj{"columns", list{"id", "customer", "placed_at", "state", "currency", "total", "country", "coupon", "note"}, "row_count", 150, "rows", rows(150, func(i int) any {
		var coupon, note any
		if m.chance(0.15) {
			coupon = pick(m, "SPRING10", "WELCOME")
		}
		if m.chance(0.08) {
			note = m.sentence()
		}
		return obj{"id", 900_000 + i*3 + m.IntN(3), "customer", m.person(), "placed_at", stamp(zero.Add(time.Duration(i*311+m.IntN(300)) * time.Second)), "state", often(m, "paid", "open", "shipped", "returned"), "currency", often(m, "EUR", "EUR", "SEK"), "total", m.real(4, 900, 2), "country", often(m, "SE", "DE", "PT", "JP", "NZ"), "coupon", coupon, "note", note}
	})}
}

func sheet(m maker) any {
	header := list{"Region", "Month", "Salesperson", "Product", "Units", "Revenue", "Target", "Reached"}
	return obj{"range", "Sales!A1:H121", "majorDimension", "ROWS", "values", append(list{header}, rows(120, func(i int) any {
		units := m.long(900)
		target := m.between(5, 60) * 1000
		revenue := float64(units) * (10 + m.Float64()*90)
		return list{pick(m, "North", "South", "East", "West"), time.Month(1 + i/10).String()[:3] + " 2026", m.person(), m.product(), strconv.Itoa(units), string(digits(revenue, 2)), strconv.Itoa(target), pick(m, "yes", "no")}
	})...)}
}

func calendar(m maker) any {
	return obj{"kind", "calendar#events", "etag", "\"p33g\"", "summary", "Team", "timeZone", "Europe/Stockholm", "accessRole", "owner", "items", rows(26, func(i int) any {
		id := m.lower(26)
		start := zero.Add(time.Duration(i*5+m.IntN(4)) * time.Hour)
		organizer := m.person()
		at := m.moment(10)
		mailOf := func(p string) string { return login(p) + "@quay.example.com" }
		return obj{"kind", "calendar#event", "etag", "\"" + itoa(m.wide(1e9, 9e9)) + "000\"", "id", id, "status", "confirmed", "htmlLink", "https://calendar.example.com/event?eid=" + m.mixed(40), "created", stamp(at), "updated", millis(at.Add(30 * time.Hour)), "summary", m.title(),
			"creator", obj{"email", mailOf(organizer)}, "organizer", obj{"email", mailOf(organizer), "displayName", organizer}, "start", obj{"dateTime", start.Format("2006-01-02T15:04:05+01:00"), "timeZone", "Europe/Stockholm"}, "end", obj{"dateTime", start.Add(45 * time.Minute).Format("2006-01-02T15:04:05+01:00"), "timeZone", "Europe/Stockholm"},
			"iCalUID", id + "@calendar.example.com", "sequence", m.IntN(3), "attendees", rows(m.between(2, 6), func(int) any {
				return obj{"email", mailOf(m.person()), "responseStatus", often(m, "accepted", "needsAction", "declined", "tentative")}
			}), "hangoutLink", "https://meet.example.com/" + m.lower(3) + "-" + m.lower(4) + "-" + m.lower(3), "reminders", obj{"useDefault", true}, "eventType", "default"}
	})}
}

func mail(m maker) any {
	return obj{"@odata.context", "https://graph.example.com/v1.0/$metadata#users('ada')/messages", "value", rows(20, func(i int) any {
		from := m.person()
		address := func(p string) obj {
			return obj{"emailAddress", obj{"name", p, "address", login(p) + "@quay.example.com"}}
		}
		at := m.moment(9)
		body := m.text(5)
		return obj{"@odata.etag", "W/\"" + m.mixed(32) + "\"", "id", "AAMkAGI2" + m.mixed(60) + "=", "createdDateTime", stamp(at), "lastModifiedDateTime", stamp(at.Add(5 * time.Second)), "receivedDateTime", stamp(at), "sentDateTime", stamp(at.Add(-2 * time.Second)), "hasAttachments", m.chance(0.2),
			"internetMessageId", "<" + strings.ToUpper(m.mixed(20)) + "@mail.quay.example.com>", "subject", pick(m, "", "Re: ", "Fwd: ") + m.title(), "bodyPreview", body[:min(len(body), 80)], "importance", "normal", "parentFolderId", "AQMkAGUy" + m.mixed(10), "conversationId", "AAQkAGI2" + m.mixed(40) + "=", "isDeliveryReceiptRequested", nil, "isReadReceiptRequested", false, "isRead", m.chance(0.7), "isDraft", false,
			"webLink", "https://mail.example.com/owa/?ItemID=AAMkAGI2" + m.mixed(40) + "&exvsurl=1&viewmodel=ReadMessageItem", "inferenceClassification", often(m, "focused", "other"), "body", obj{"contentType", "text", "content", body}, "sender", address(from), "from", address(from), "toRecipients", rows(m.between(1, 3), func(int) any { return address(m.person()) }), "ccRecipients", list{}, "bccRecipients", list{}, "replyTo", list{}, "flag", obj{"flagStatus", "notFlagged"}}
	})}
}

func chat(m maker) any {
	return obj{"ok", true, "messages", rows(60, func(i int) any {
		user := "U0" + strings.ToUpper(m.lower(8))
		ts := fmt.Sprintf("%d.%06d", 1_772_431_200+i*97+m.IntN(60), m.IntN(999_999))
		o := obj{"type", "message", "user", user, "text", m.text(3), "ts", ts, "team", "T024BE7LD"}
		if m.chance(0.3) {
			o = append(o, "thread_ts", ts, "reply_count", m.long(12), "reply_users", list{user, "U0" + strings.ToUpper(m.lower(8))}, "latest_reply", ts, "is_locked", false, "subscribed", m.chance(0.5))
		}
		if m.chance(0.3) {
			o = append(o, "reactions", list{obj{"name", pick(m, "+1", "eyes", "tada"), "users", list{user}, "count", 1}})
		}
		return o
	}), "has_more", true, "pin_count", 2, "response_metadata", obj{"next_cursor", "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz"}}
}

func tickets(m maker) any {
	const base = "https://tickets.example.com/rest/api/3"
	person := func() any {
		name := m.person()
		id := "5b10" + m.hex(20)
		return obj{"self", base + "/user?accountId=" + id, "accountId", id, "emailAddress", login(name) + "@quay.example.com", "avatarUrls", obj{"48x48", "https://avatars.example.com/" + id + "?size=48", "24x24", "https://avatars.example.com/" + id + "?size=24"}, "displayName", name, "active", true, "timeZone", "Europe/Stockholm", "accountType", "atlassian"}
	}
	people := rows(9, func(int) any { return person() })
	return obj{"expand", "schema,names", "startAt", 0, "maxResults", 20, "total", 311, "issues", rows(20, func(i int) any {
		id := strconv.Itoa(10_400 - i)
		state := m.IntN(3)
		priority := m.IntN(3)
		return obj{"expand", "operations,versionedRepresentations,editmeta,changelog", "id", id, "self", base + "/issue/" + id, "key", fmt.Sprintf("QUAY-%d", 812-i), "fields", obj{
			"summary", m.title(), "issuetype", obj{"self", base + "/issuetype/10004", "id", "10004", "description", "A problem or error.", "iconUrl", "https://tickets.example.com/images/bug.svg", "name", "Bug", "subtask", false},
			"status", obj{"self", fmt.Sprintf("%s/status/%d", base, state+1), "name", []string{"To do", "In progress", "Done"}[state], "id", strconv.Itoa(state + 1), "statusCategory", obj{"id", state + 2, "key", []string{"new", "indeterminate", "done"}[state], "name", []string{"To do", "In progress", "Done"}[state]}},
			"priority", obj{"self", fmt.Sprintf("%s/priority/%d", base, priority+2), "iconUrl", fmt.Sprintf("https://tickets.example.com/images/priority/%d.svg", priority), "name", []string{"High", "Medium", "Low"}[priority], "id", strconv.Itoa(priority + 2)},
			"assignee", often(m, append(people, nil)...), "reporter", pick(m, people...), "created", m.moment(90).Format("2006-01-02T15:04:05.000-0700"), "updated", m.moment(90).Format("2006-01-02T15:04:05.000-0700"), "resolution", nil, "labels", several(m, 2, "backend", "customer", "regression"), "components", list{}, "fixVersions", list{}, "customfield_10016", nil, "customfield_10020", nil, "description", m.text(4)}}
	})}
}

func geoJSON(m maker) any {
	ring := func() any {
		x, y := 10+m.Float64()*8, 55+m.Float64()*8
		r := 0.01 + m.Float64()*0.1
		n := m.between(6, 22)
		points := rows(n, func(i int) any {
			a := 2 * math.Pi * float64(i) / float64(n)
			d := r * (0.7 + 0.6*m.Float64())
			return list{digits(x+d*math.Cos(a), 6), digits(y+d*math.Sin(a), 6)}
		})
		return list{append(points, points[0])}
	}
	return obj{"type", "FeatureCollection", "name", "districts", "crs", obj{"type", "name", "properties", obj{"name", "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "features", rows(26, func(i int) any {
		return obj{"type", "Feature", "id", 100 + i, "properties", obj{"name", pick(m, places...) + " " + pick(m, "north", "south", "centre"), "code", fmt.Sprintf("SE%03d", 100+i*3), "population", m.long(90_000), "area_km2", m.real(1, 80, 2)}, "geometry", obj{"type", "Polygon", "coordinates", ring()}}
	})}
}

func weather(m maker) any {
	hours := func(make func(i int) any) list { return rows(96, make) }
	t := 4.0
	return obj{"latitude", decimal("59.32"), "longitude", decimal("18.06"), "generationtime_ms", decimal("0.2301"), "utc_offset_seconds", 0, "timezone", "GMT", "elevation", 24, "hourly_units", obj{"time", "iso8601", "temperature_2m", "°C", "relative_humidity_2m", "%", "precipitation", "mm", "wind_speed_10m", "km/h"},
		"hourly", obj{"time", hours(func(i int) any { return zero.Add(time.Duration(i) * time.Hour).Format("2006-01-02T15:04") }),
			"temperature_2m", hours(func(i int) any { t += m.NormFloat64() * 0.6; return digits(t+4*math.Sin(float64(i)/3.8), 1) }), "relative_humidity_2m", hours(func(int) any { return m.between(40, 99) }),
			"precipitation", hours(func(int) any { return digits(math.Max(0, m.NormFloat64()-1), 1) }), "wind_speed_10m", hours(func(int) any { return m.real(2, 30, 1) })}}
}

func webSearch(m maker) any {
	return obj{"query", "wire formats for language models", "type", "search", "web", obj{"type", "search", "results", rows(20, func(i int) any {
		site := pick(m, nouns...) + pick(m, "hub", "lab", "notes") + ".example." + pick(m, "com", "org", "dev")
		path := "/" + pick(m, areas...) + "/" + pick(m, verbs...) + "-" + pick(m, nouns...)
		return obj{"type", "search_result", "title", m.title() + " | " + upper(site[:strings.IndexByte(site, '.')]), "url", "https://" + site + path, "is_source_local", false, "is_source_both", false, "description", m.text(3), "page_age", stamp(m.moment(700)), "language", "en", "family_friendly", true,
			"profile", obj{"name", upper(site[:strings.IndexByte(site, '.')]), "url", "https://" + site + path, "long_name", site, "img", "https://imgs.example.com/" + m.mixed(24) + "/rs:fit:32:32:1:0/" + site + "/favicon.ico"}, "meta_url", obj{"scheme", "https", "netloc", site, "hostname", site, "favicon", "https://imgs.example.com/" + m.mixed(24) + "/favicon.ico", "path", strings.ReplaceAll(path, "/", "› ")}}
	})}}
}

func documentsFound(m maker) any {
	return obj{"results", rows(14, func(i int) any {
		file := strings.ReplaceAll(m.title(), " ", "-") + ".pdf"
		page := m.long(90)
		return obj{"id", m.uuid(), "score", digits(0.93-float64(i)*0.02-m.Float64()*0.01, 6), "content", m.text(7) + " " + m.text(6), "metadata", obj{"source", "s3://quay-documents/handbook/" + file, "page", page, "chunk", page*3 + m.IntN(3), "section", m.title(), "author", m.person(), "modified", stamp(m.moment(400)), "language", "en"}}
	})}
}

func invoices(m maker) any {
	return obj{"invoices", rows(32, func(i int) any {
		net := 100 + m.Float64()*4000
		at := m.moment(60)
		name := upper(pick(m, nouns...)) + " " + pick(m, "AB", "GmbH", "Lda", "Ltd")
		return obj{"InvoiceID", m.uuid(), "InvoiceNumber", fmt.Sprintf("INV-%05d", 4100+i), "Type", "ACCREC", "Reference", pick(m, "", "PO-"+strconv.Itoa(m.long(90_000))), "Contact", obj{"ContactID", m.uuid(), "Name", name}, "DateString", at.Format("2006-01-02T00:00:00"), "DueDateString", at.AddDate(0, 0, 30).Format("2006-01-02T00:00:00"),
			"Status", often(m, "PAID", "AUTHORISED", "DRAFT"), "LineAmountTypes", "Exclusive", "LineItems", rows(m.between(1, 3), func(int) any {
				return obj{"LineItemID", m.uuid(), "Description", m.product(), "Quantity", m.between(1, 20), "UnitAmount", m.real(5, 400, 2), "TaxType", "OUTPUT2", "AccountCode", pick(m, "200", "260")}
			}), "SubTotal", digits(net, 2), "TotalTax", digits(net*0.25, 2), "Total", digits(net*1.25, 2), "CurrencyCode", "EUR", "AmountDue", digits(net*1.25, 2), "AmountPaid", 0, "UpdatedDateUTC", millis(at)}
	})}
}

func timetable(m maker) any {
	return obj{"station", "Oslo S", "departures", rows(90, func(i int) any {
		planned := zero.Add(time.Duration(i*4+m.IntN(4)) * time.Minute)
		late := 0
		if m.chance(0.3) {
			late = m.long(30)
		}
		return obj{"line", pick(m, "R10", "L1", "L2", "RE11", "F4"), "to", pick(m, places...), "planned", planned.Format("15:04"), "expected", planned.Add(time.Duration(late) * time.Minute).Format("15:04"), "platform", strconv.Itoa(m.between(1, 19)), "operator", often(m, "Vy", "SJ", "Go-Ahead"), "cancelled", m.chance(0.03), "delay", late}
	})}
}
