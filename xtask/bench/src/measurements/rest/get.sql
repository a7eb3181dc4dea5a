SELECT workspace_id, id, title, description, contact_id, company_id, assigned_to, status, stage, value, currency,
    probability, expected_close_date, actual_close_date, lost_reason, source, tags, custom_fields, external_id,
    price_book_id, package_id, rep_id, developer_id, commission_pct, territory, version, created_at, updated_at,
    created_by_type, created_by_id
FROM deals WHERE workspace_id = :workspace::uuid AND id = :deal::uuid AND num_nonnulls(deleted_at) = 0;
